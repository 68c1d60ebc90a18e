/* Parse-only stand-in for <fenv.h>. */
#pragma once
#include <features.h>
typedef struct { unsigned long v[4]; } fenv_t;
typedef unsigned short fexcept_t;
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
#define FE_DFL_ENV ((const fenv_t*)-1)
__BEGIN_DECLS
int feclearexcept(int); int feraiseexcept(int); int fetestexcept(int); int fegetexceptflag(fexcept_t*, int); int fesetexceptflag(const fexcept_t*, int); int fegetround(void); int fesetround(int); int fegetenv(fenv_t*); int fesetenv(const fenv_t*); int feholdexcept(fenv_t*); int feupdateenv(const fenv_t*); int feenableexcept(int); int fedisableexcept(int); int fegetexcept(void);
__END_DECLS
