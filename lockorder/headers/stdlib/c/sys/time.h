/* Parse-only stand-in for <sys/time.h>. */
#pragma once
#include <sys/types.h>
#include <bits/time_types.h>
struct timezone { int tz_minuteswest, tz_dsttime; }; struct itimerval { struct timeval it_interval, it_value; };
enum { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };
#define ITIMER_REAL ITIMER_REAL
#define ITIMER_VIRTUAL ITIMER_VIRTUAL
#define ITIMER_PROF ITIMER_PROF
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timercmp(a, b, op) (((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec op (b)->tv_usec) : ((a)->tv_sec op (b)->tv_sec))
#define timeradd(a, b, r) ((r)->tv_sec = (a)->tv_sec + (b)->tv_sec, (r)->tv_usec = (a)->tv_usec + (b)->tv_usec)
#define timersub(a, b, r) ((r)->tv_sec = (a)->tv_sec - (b)->tv_sec, (r)->tv_usec = (a)->tv_usec - (b)->tv_usec)
#define TIMEVAL_TO_TIMESPEC(v, s) ((s)->tv_sec = (v)->tv_sec, (s)->tv_nsec = (v)->tv_usec * 1000)
__BEGIN_DECLS
int gettimeofday(struct timeval* __restrict, void* __restrict); int settimeofday(const struct timeval*, const struct timezone*); int adjtime(const struct timeval*, struct timeval*); int getitimer(int, struct itimerval*); int setitimer(int, const struct itimerval* __restrict, struct itimerval* __restrict); int utimes(const char*, const struct timeval[2]); int futimes(int, const struct timeval[2]); int lutimes(const char*, const struct timeval[2]);
__END_DECLS
