/* Parse-only stand-in for <asm/ioctls.h>. */
#pragma once
#include <sys/ioctl.h>
