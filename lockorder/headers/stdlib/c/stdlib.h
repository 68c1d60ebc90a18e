/* Parse-only stand-in for <stdlib.h>. */
#pragma once
#include <sys/types.h>
#include <alloca.h>
#include <bits/locale_t.h>
typedef struct { int quot, rem; } div_t; typedef struct { long quot, rem; } ldiv_t; typedef struct { long long quot, rem; } lldiv_t;
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 6
#define WIFEXITED(s) (((s) & 0x7f) == 0)
#define WEXITSTATUS(s) (((s) & 0xff00) >> 8)
#define WIFSIGNALED(s) (((s) & 0x7f) != 0)
#define WTERMSIG(s) ((s) & 0x7f)
#define WIFSTOPPED(s) (((s) & 0xff) == 0x7f)
#define WSTOPSIG(s) (((s) & 0xff00) >> 8)
#define WIFCONTINUED(s) ((s) == 0xffff)
#define WCOREDUMP(s) ((s) & 0x80)
__BEGIN_DECLS
double atof(const char*); int atoi(const char*); long atol(const char*); long long atoll(const char*); double strtod(const char* __restrict, char** __restrict); float strtof(const char* __restrict, char** __restrict); long double strtold(const char* __restrict, char** __restrict); long strtol(const char* __restrict, char** __restrict, int); unsigned long strtoul(const char* __restrict, char** __restrict, int); long long strtoll(const char* __restrict, char** __restrict, int); unsigned long long strtoull(const char* __restrict, char** __restrict, int); double strtod_l(const char* __restrict, char** __restrict, locale_t); float strtof_l(const char* __restrict, char** __restrict, locale_t); int strfromd(char*, size_t, const char*, double);
int rand(void); void srand(unsigned int); int rand_r(unsigned int*); long random(void); void srandom(unsigned int); char* initstate(unsigned int, char*, size_t); char* setstate(char*); double drand48(void); double erand48(unsigned short[3]); long lrand48(void); long nrand48(unsigned short[3]); long mrand48(void); void srand48(long); unsigned int arc4random(void);
void* malloc(size_t) __attribute__((__malloc__)); void* calloc(size_t, size_t) __attribute__((__malloc__)); void* realloc(void*, size_t); void* reallocarray(void*, size_t, size_t); void free(void*); void* aligned_alloc(size_t, size_t); int posix_memalign(void**, size_t, size_t); void* valloc(size_t);
void abort(void) __attribute__((__noreturn__)); int atexit(void (*)(void)); int at_quick_exit(void (*)(void)); int on_exit(void (*)(int, void*), void*); void exit(int) __attribute__((__noreturn__)); void quick_exit(int) __attribute__((__noreturn__)); void _Exit(int) __attribute__((__noreturn__));
char* getenv(const char*); char* secure_getenv(const char*); int putenv(char*); int setenv(const char*, const char*, int); int unsetenv(const char*); int clearenv(void); char* mktemp(char*); int mkstemp(char*); int mkostemp(char*, int); int mkstemps(char*, int); char* mkdtemp(char*); int system(const char*); char* realpath(const char* __restrict, char* __restrict); char* canonicalize_file_name(const char*);
void* bsearch(const void*, const void*, size_t, size_t, int (*)(const void*, const void*)); void qsort(void*, size_t, size_t, int (*)(const void*, const void*)); void qsort_r(void*, size_t, size_t, int (*)(const void*, const void*, void*), void*); int abs(int) __attribute__((__const__)); long labs(long) __attribute__((__const__)); long long llabs(long long) __attribute__((__const__)); div_t div(int, int); ldiv_t ldiv(long, long); lldiv_t lldiv(long long, long long);
int mblen(const char*, size_t); int mbtowc(wchar_t* __restrict, const char* __restrict, size_t); int wctomb(char*, wchar_t); size_t mbstowcs(wchar_t* __restrict, const char* __restrict, size_t); size_t wcstombs(char* __restrict, const wchar_t* __restrict, size_t); int getsubopt(char**, char* const*, char**); int posix_openpt(int); int grantpt(int); int unlockpt(int); char* ptsname(int); int getloadavg(double[], int);
__END_DECLS
#ifdef __cplusplus
long abs(long); long long abs(long long); float abs(float); double abs(double); long double abs(long double); ldiv_t div(long, long); lldiv_t div(long long, long long);
#endif
