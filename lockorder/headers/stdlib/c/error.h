/* Parse-only stand-in for <error.h>. */
#pragma once
#include <features.h>
__BEGIN_DECLS
void error(int, int, const char*, ...); void error_at_line(int, int, const char*, unsigned int, const char*, ...);
__END_DECLS
