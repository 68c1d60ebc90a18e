/* Parse-only stand-in for <asm/ioctl.h>. */
#pragma once
#include <sys/ioctl.h>
