/* Parse-only stand-in for <sys/times.h>. */
#pragma once
#include <time.h>
struct tms { clock_t tms_utime, tms_stime, tms_cutime, tms_cstime; };
__BEGIN_DECLS
clock_t times(struct tms*);
__END_DECLS
