/* Parse-only stand-in for <linux/memfd.h>. */
#pragma once
#define MFD_CLOEXEC 1U
#define MFD_ALLOW_SEALING 2U
