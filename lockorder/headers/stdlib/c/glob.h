/* Parse-only stand-in for <glob.h>. */
#pragma once
#include <stddef.h>
#include <features.h>
typedef struct { size_t gl_pathc; char** gl_pathv; size_t gl_offs; int gl_flags; } glob_t;
#define GLOB_ERR 1
#define GLOB_MARK 2
#define GLOB_NOSORT 4
#define GLOB_NOCHECK 16
#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_NOMATCH 3
#define GLOB_TILDE 4096
__BEGIN_DECLS
int glob(const char* __restrict, int, int (*)(const char*, int), glob_t* __restrict); void globfree(glob_t*);
__END_DECLS
