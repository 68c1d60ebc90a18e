/* Parse-only: time_t and the structures of time. */
#pragma once
typedef long time_t; typedef long clock_t; typedef int clockid_t; typedef void* timer_t; typedef long suseconds_t; typedef unsigned int useconds_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct itimerspec { struct timespec it_interval, it_value; };
