/* Parse-only stand-in for <wordexp.h>. */
#pragma once
#include <stddef.h>
#include <features.h>
typedef struct { size_t we_wordc; char** we_wordv; size_t we_offs; } wordexp_t;
__BEGIN_DECLS
int wordexp(const char*, wordexp_t*, int); void wordfree(wordexp_t*);
__END_DECLS
