/* Parse-only stand-in for <fnmatch.h>. */
#pragma once
#include <features.h>
#define FNM_PATHNAME 1
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
#define FNM_CASEFOLD 16
#define FNM_NOMATCH 1
__BEGIN_DECLS
int fnmatch(const char*, const char*, int);
__END_DECLS
