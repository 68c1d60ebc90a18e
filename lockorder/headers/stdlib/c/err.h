/* Parse-only stand-in for <err.h>. */
#pragma once
#include <stdarg.h>
#include <features.h>
__BEGIN_DECLS
void err(int, const char*, ...) __attribute__((__noreturn__)); void errx(int, const char*, ...) __attribute__((__noreturn__)); void warn(const char*, ...); void warnx(const char*, ...); void vwarn(const char*, va_list); void vwarnx(const char*, va_list);
__END_DECLS
