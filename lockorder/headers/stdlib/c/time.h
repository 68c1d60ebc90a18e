/* Parse-only stand-in for <time.h>. */
#pragma once
#include <stddef.h>
#include <bits/time_types.h>
#include <bits/locale_t.h>
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char* tm_zone; };
struct sigevent;
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1
#define TIME_UTC 1
__BEGIN_DECLS
extern char* tzname[2]; extern int daylight; extern long timezone;
clock_t clock(void); time_t time(time_t*); double difftime(time_t, time_t); time_t mktime(struct tm*); time_t timegm(struct tm*); time_t timelocal(struct tm*); size_t strftime(char* __restrict, size_t, const char* __restrict, const struct tm* __restrict); size_t strftime_l(char* __restrict, size_t, const char* __restrict, const struct tm* __restrict, locale_t); char* strptime(const char* __restrict, const char* __restrict, struct tm*); struct tm* gmtime(const time_t*); struct tm* localtime(const time_t*); struct tm* gmtime_r(const time_t* __restrict, struct tm* __restrict); struct tm* localtime_r(const time_t* __restrict, struct tm* __restrict); char* asctime(const struct tm*); char* asctime_r(const struct tm*, char*); char* ctime(const time_t*); char* ctime_r(const time_t*, char*); void tzset(void);
int nanosleep(const struct timespec*, struct timespec*); int clock_getres(clockid_t, struct timespec*); int clock_gettime(clockid_t, struct timespec*); int clock_settime(clockid_t, const struct timespec*); int clock_nanosleep(clockid_t, int, const struct timespec*, struct timespec*); int clock_getcpuclockid(int, clockid_t*); int timer_create(clockid_t, struct sigevent*, timer_t*); int timer_delete(timer_t); int timer_settime(timer_t, int, const struct itimerspec*, struct itimerspec*); int timer_gettime(timer_t, struct itimerspec*); int timer_getoverrun(timer_t); int timespec_get(struct timespec*, int);
__END_DECLS
