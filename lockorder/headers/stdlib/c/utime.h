/* Parse-only stand-in for <utime.h>. */
#pragma once
#include <bits/time_types.h>
#include <features.h>
struct utimbuf { time_t actime, modtime; };
__BEGIN_DECLS
int utime(const char*, const struct utimbuf*);
__END_DECLS
