/* Parse-only stand-in for <libgen.h>. */
#pragma once
#include <features.h>
__BEGIN_DECLS
char* dirname(char*); char* __xpg_basename(char*);
__END_DECLS
#ifndef basename
#define basename __xpg_basename
#endif
