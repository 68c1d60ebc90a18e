/* Parse-only stand-in for <linux/ioctl.h>. */
#pragma once
#include <sys/ioctl.h>
