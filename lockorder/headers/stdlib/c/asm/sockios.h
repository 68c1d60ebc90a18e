/* Parse-only stand-in for <asm/sockios.h>. */
#pragma once
#define SIOCATMARK 0x8905
#define SIOCINQ 0x541B
#define SIOCOUTQ 0x5411
