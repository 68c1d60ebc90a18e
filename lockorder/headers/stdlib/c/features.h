/* Parse-only stand-in for <features.h>. */
#pragma once
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36
#define __GLIBC_PREREQ(a, b) ((2 << 16) + 36 >= ((a) << 16) + (b))
#define __GNU_LIBRARY__ 6
#define __USE_GNU 1
#define __USE_XOPEN2K8 1
#define __USE_MISC 1
#define __USE_POSIX 1
#include <sys/cdefs.h>
