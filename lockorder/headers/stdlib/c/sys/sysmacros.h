/* Parse-only stand-in for <sys/sysmacros.h>. */
#pragma once
#define major(d) ((unsigned int)(((d) >> 8) & 0xfff))
#define minor(d) ((unsigned int)((d) & 0xff))
#define makedev(a, b) (((unsigned long)(a) << 8) | (b))
