/* Parse-only stand-in for <sys/timeb.h>. */
#pragma once
#include <time.h>
struct timeb { time_t time; unsigned short millitm; short timezone, dstflag; };
