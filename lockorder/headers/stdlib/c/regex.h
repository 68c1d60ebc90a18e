/* Parse-only stand-in for <regex.h>. */
#pragma once
#include <sys/types.h>
typedef struct { size_t re_nsub; void* buffer; } regex_t; typedef int regoff_t; typedef struct { regoff_t rm_so, rm_eo; } regmatch_t;
#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_NOMATCH 1
__BEGIN_DECLS
int regcomp(regex_t*, const char*, int); int regexec(const regex_t*, const char*, size_t, regmatch_t[], int); size_t regerror(int, const regex_t*, char*, size_t); void regfree(regex_t*);
__END_DECLS
