/* Parse-only stand-in for <linux/version.h>. */
#pragma once
#define LINUX_VERSION_CODE 393472
#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
