/* Parse-only stand-in for <sys/timerfd.h>. */
#pragma once
#include <time.h>
enum { TFD_CLOEXEC = 02000000, TFD_NONBLOCK = 04000 }; enum { TFD_TIMER_ABSTIME = 1, TFD_TIMER_CANCEL_ON_SET = 2 };
__BEGIN_DECLS
int timerfd_create(clockid_t, int); int timerfd_settime(int, int, const struct itimerspec*, struct itimerspec*); int timerfd_gettime(int, struct itimerspec*);
__END_DECLS
