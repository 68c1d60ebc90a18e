/* Parse-only stand-in for <asm/hwcap.h>. */
#pragma once
#include <sys/auxv.h>
