/* Parse-only stand-in for <math.h>. */
#pragma once
#include <features.h>
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VALL __builtin_huge_vall()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling 3
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_PIl 3.141592653589793238462643383279502884L
#define MAXFLOAT 3.40282347e+38F
typedef float float_t; typedef double double_t;
__BEGIN_DECLS
extern int signgam;
double acos(double); float acosf(float); long double acosl(long double);
double acosh(double); float acoshf(float); long double acoshl(long double);
double asin(double); float asinf(float); long double asinl(long double);
double asinh(double); float asinhf(float); long double asinhl(long double);
double atan(double); float atanf(float); long double atanl(long double);
double atanh(double); float atanhf(float); long double atanhl(long double);
double cbrt(double); float cbrtf(float); long double cbrtl(long double);
double ceil(double); float ceilf(float); long double ceill(long double);
double cos(double); float cosf(float); long double cosl(long double);
double cosh(double); float coshf(float); long double coshl(long double);
double erf(double); float erff(float); long double erfl(long double);
double erfc(double); float erfcf(float); long double erfcl(long double);
double exp(double); float expf(float); long double expl(long double);
double exp2(double); float exp2f(float); long double exp2l(long double);
double expm1(double); float expm1f(float); long double expm1l(long double);
double fabs(double); float fabsf(float); long double fabsl(long double);
double floor(double); float floorf(float); long double floorl(long double);
double lgamma(double); float lgammaf(float); long double lgammal(long double);
double log(double); float logf(float); long double logl(long double);
double log10(double); float log10f(float); long double log10l(long double);
double log1p(double); float log1pf(float); long double log1pl(long double);
double log2(double); float log2f(float); long double log2l(long double);
double logb(double); float logbf(float); long double logbl(long double);
double nearbyint(double); float nearbyintf(float); long double nearbyintl(long double);
double rint(double); float rintf(float); long double rintl(long double);
double round(double); float roundf(float); long double roundl(long double);
double sin(double); float sinf(float); long double sinl(long double);
double sinh(double); float sinhf(float); long double sinhl(long double);
double sqrt(double); float sqrtf(float); long double sqrtl(long double);
double tan(double); float tanf(float); long double tanl(long double);
double tanh(double); float tanhf(float); long double tanhl(long double);
double tgamma(double); float tgammaf(float); long double tgammal(long double);
double trunc(double); float truncf(float); long double truncl(long double);
double atan2(double, double); float atan2f(float, float); long double atan2l(long double, long double);
double copysign(double, double); float copysignf(float, float); long double copysignl(long double, long double);
double fdim(double, double); float fdimf(float, float); long double fdiml(long double, long double);
double fmax(double, double); float fmaxf(float, float); long double fmaxl(long double, long double);
double fmin(double, double); float fminf(float, float); long double fminl(long double, long double);
double fmod(double, double); float fmodf(float, float); long double fmodl(long double, long double);
double hypot(double, double); float hypotf(float, float); long double hypotl(long double, long double);
double nextafter(double, double); float nextafterf(float, float); long double nextafterl(long double, long double);
double pow(double, double); float powf(float, float); long double powl(long double, long double);
double remainder(double, double); float remainderf(float, float); long double remainderl(long double, long double);
double fma(double, double, double); double frexp(double, int*); double ldexp(double, int); double modf(double, double*); double scalbn(double, int); double scalbln(double, long); double nexttoward(double, long double); double remquo(double, double, int*); double nan(const char*); int ilogb(double); long lrint(double); long long llrint(double); long lround(double); long long llround(double); double exp10(double); void sincos(double, double*, double*); double lgamma_r(double, int*); double j0(double); double j1(double); double jn(int, double); double y0(double); double y1(double); double yn(int, double); double drem(double, double); int finite(double); float fmaf(float, float, float); float frexpf(float, int*); float ldexpf(float, int); float modff(float, float*); float scalbnf(float, int); float scalblnf(float, long); float nexttowardf(float, long double); float remquof(float, float, int*); float nanf(const char*); int ilogbf(float); long lrintf(float); long long llrintf(float); long lroundf(float); long long llroundf(float); float exp10f(float); void sincosf(float, float*, float*); float lgammaf_r(float, int*); float j0f(float); float j1f(float); float jnf(int, float); float y0f(float); float y1f(float); float ynf(int, float); float dremf(float, float); int finitef(float); long double fmal(long double, long double, long double); long double frexpl(long double, int*); long double ldexpl(long double, int); long double modfl(long double, long double*); long double scalbnl(long double, int); long double scalblnl(long double, long); long double nexttowardl(long double, long double); long double remquol(long double, long double, int*); long double nanl(const char*); int ilogbl(long double); long lrintl(long double); long long llrintl(long double); long lroundl(long double); long long llroundl(long double); long double exp10l(long double); void sincosl(long double, long double*, long double*); long double lgammal_r(long double, int*); long double j0l(long double); long double j1l(long double); long double jnl(int, long double); long double y0l(long double); long double y1l(long double); long double ynl(int, long double); long double dreml(long double, long double); int finitel(long double);
__END_DECLS
#ifndef __cplusplus
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define fpclassify(x) __builtin_fpclassify(0, 1, 4, 3, 2, x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
#else
extern "C++" {
template <bool, class T> struct __lo_math_if {}; template <class T> struct __lo_math_if<true, T> { typedef T type; };
template <class T> constexpr bool __lo_is_fp(T) { return __is_floating_point(T); }
template <class A, class B> struct __lo_promote2 { typedef decltype((__is_integral(A) ? 0.0 : A()) + (__is_integral(B) ? 0.0 : B())) type; };
template <class A> struct __lo_promote2<A, A> { typedef decltype(__is_integral(A) ? 0.0 : A()) type; };
template <> struct __lo_promote2<float, float> { typedef float type; };
inline constexpr float acos(float x) { return __builtin_acosf(x); } inline constexpr long double acos(long double x) { return __builtin_acosl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type acos(T x) { return __builtin_acos(x); }
inline constexpr float acosh(float x) { return __builtin_acoshf(x); } inline constexpr long double acosh(long double x) { return __builtin_acoshl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type acosh(T x) { return __builtin_acosh(x); }
inline constexpr float asin(float x) { return __builtin_asinf(x); } inline constexpr long double asin(long double x) { return __builtin_asinl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type asin(T x) { return __builtin_asin(x); }
inline constexpr float asinh(float x) { return __builtin_asinhf(x); } inline constexpr long double asinh(long double x) { return __builtin_asinhl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type asinh(T x) { return __builtin_asinh(x); }
inline constexpr float atan(float x) { return __builtin_atanf(x); } inline constexpr long double atan(long double x) { return __builtin_atanl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type atan(T x) { return __builtin_atan(x); }
inline constexpr float atanh(float x) { return __builtin_atanhf(x); } inline constexpr long double atanh(long double x) { return __builtin_atanhl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type atanh(T x) { return __builtin_atanh(x); }
inline constexpr float cbrt(float x) { return __builtin_cbrtf(x); } inline constexpr long double cbrt(long double x) { return __builtin_cbrtl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type cbrt(T x) { return __builtin_cbrt(x); }
inline constexpr float ceil(float x) { return __builtin_ceilf(x); } inline constexpr long double ceil(long double x) { return __builtin_ceill(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type ceil(T x) { return __builtin_ceil(x); }
inline constexpr float cos(float x) { return __builtin_cosf(x); } inline constexpr long double cos(long double x) { return __builtin_cosl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type cos(T x) { return __builtin_cos(x); }
inline constexpr float cosh(float x) { return __builtin_coshf(x); } inline constexpr long double cosh(long double x) { return __builtin_coshl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type cosh(T x) { return __builtin_cosh(x); }
inline constexpr float erf(float x) { return __builtin_erff(x); } inline constexpr long double erf(long double x) { return __builtin_erfl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type erf(T x) { return __builtin_erf(x); }
inline constexpr float erfc(float x) { return __builtin_erfcf(x); } inline constexpr long double erfc(long double x) { return __builtin_erfcl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type erfc(T x) { return __builtin_erfc(x); }
inline constexpr float exp(float x) { return __builtin_expf(x); } inline constexpr long double exp(long double x) { return __builtin_expl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type exp(T x) { return __builtin_exp(x); }
inline constexpr float exp2(float x) { return __builtin_exp2f(x); } inline constexpr long double exp2(long double x) { return __builtin_exp2l(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type exp2(T x) { return __builtin_exp2(x); }
inline constexpr float expm1(float x) { return __builtin_expm1f(x); } inline constexpr long double expm1(long double x) { return __builtin_expm1l(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type expm1(T x) { return __builtin_expm1(x); }
inline constexpr float fabs(float x) { return __builtin_fabsf(x); } inline constexpr long double fabs(long double x) { return __builtin_fabsl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type fabs(T x) { return __builtin_fabs(x); }
inline constexpr float floor(float x) { return __builtin_floorf(x); } inline constexpr long double floor(long double x) { return __builtin_floorl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type floor(T x) { return __builtin_floor(x); }
inline constexpr float lgamma(float x) { return __builtin_lgammaf(x); } inline constexpr long double lgamma(long double x) { return __builtin_lgammal(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type lgamma(T x) { return __builtin_lgamma(x); }
inline constexpr float log(float x) { return __builtin_logf(x); } inline constexpr long double log(long double x) { return __builtin_logl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type log(T x) { return __builtin_log(x); }
inline constexpr float log10(float x) { return __builtin_log10f(x); } inline constexpr long double log10(long double x) { return __builtin_log10l(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type log10(T x) { return __builtin_log10(x); }
inline constexpr float log1p(float x) { return __builtin_log1pf(x); } inline constexpr long double log1p(long double x) { return __builtin_log1pl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type log1p(T x) { return __builtin_log1p(x); }
inline constexpr float log2(float x) { return __builtin_log2f(x); } inline constexpr long double log2(long double x) { return __builtin_log2l(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type log2(T x) { return __builtin_log2(x); }
inline constexpr float logb(float x) { return __builtin_logbf(x); } inline constexpr long double logb(long double x) { return __builtin_logbl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type logb(T x) { return __builtin_logb(x); }
inline constexpr float nearbyint(float x) { return __builtin_nearbyintf(x); } inline constexpr long double nearbyint(long double x) { return __builtin_nearbyintl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type nearbyint(T x) { return __builtin_nearbyint(x); }
inline constexpr float rint(float x) { return __builtin_rintf(x); } inline constexpr long double rint(long double x) { return __builtin_rintl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type rint(T x) { return __builtin_rint(x); }
inline constexpr float round(float x) { return __builtin_roundf(x); } inline constexpr long double round(long double x) { return __builtin_roundl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type round(T x) { return __builtin_round(x); }
inline constexpr float sin(float x) { return __builtin_sinf(x); } inline constexpr long double sin(long double x) { return __builtin_sinl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type sin(T x) { return __builtin_sin(x); }
inline constexpr float sinh(float x) { return __builtin_sinhf(x); } inline constexpr long double sinh(long double x) { return __builtin_sinhl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type sinh(T x) { return __builtin_sinh(x); }
inline constexpr float sqrt(float x) { return __builtin_sqrtf(x); } inline constexpr long double sqrt(long double x) { return __builtin_sqrtl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type sqrt(T x) { return __builtin_sqrt(x); }
inline constexpr float tan(float x) { return __builtin_tanf(x); } inline constexpr long double tan(long double x) { return __builtin_tanl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type tan(T x) { return __builtin_tan(x); }
inline constexpr float tanh(float x) { return __builtin_tanhf(x); } inline constexpr long double tanh(long double x) { return __builtin_tanhl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type tanh(T x) { return __builtin_tanh(x); }
inline constexpr float tgamma(float x) { return __builtin_tgammaf(x); } inline constexpr long double tgamma(long double x) { return __builtin_tgammal(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type tgamma(T x) { return __builtin_tgamma(x); }
inline constexpr float trunc(float x) { return __builtin_truncf(x); } inline constexpr long double trunc(long double x) { return __builtin_truncl(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), double>::type trunc(T x) { return __builtin_trunc(x); }
inline constexpr float atan2(float x, float y) { return __builtin_atan2f(x, y); } inline constexpr long double atan2(long double x, long double y) { return __builtin_atan2l(x, y); } template <class T, class U> constexpr typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), __lo_promote2<T, U>>::type::type atan2(T x, U y) { return __builtin_atan2(x, y); }
inline constexpr float copysign(float x, float y) { return __builtin_copysignf(x, y); } inline constexpr long double copysign(long double x, long double y) { return __builtin_copysignl(x, y); } template <class T, class U> constexpr typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), __lo_promote2<T, U>>::type::type copysign(T x, U y) { return __builtin_copysign(x, y); }
inline constexpr float fdim(float x, float y) { return __builtin_fdimf(x, y); } inline constexpr long double fdim(long double x, long double y) { return __builtin_fdiml(x, y); } template <class T, class U> constexpr typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), __lo_promote2<T, U>>::type::type fdim(T x, U y) { return __builtin_fdim(x, y); }
inline constexpr float fmax(float x, float y) { return __builtin_fmaxf(x, y); } inline constexpr long double fmax(long double x, long double y) { return __builtin_fmaxl(x, y); } template <class T, class U> constexpr typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), __lo_promote2<T, U>>::type::type fmax(T x, U y) { return __builtin_fmax(x, y); }
inline constexpr float fmin(float x, float y) { return __builtin_fminf(x, y); } inline constexpr long double fmin(long double x, long double y) { return __builtin_fminl(x, y); } template <class T, class U> constexpr typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), __lo_promote2<T, U>>::type::type fmin(T x, U y) { return __builtin_fmin(x, y); }
inline constexpr float fmod(float x, float y) { return __builtin_fmodf(x, y); } inline constexpr long double fmod(long double x, long double y) { return __builtin_fmodl(x, y); } template <class T, class U> constexpr typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), __lo_promote2<T, U>>::type::type fmod(T x, U y) { return __builtin_fmod(x, y); }
inline constexpr float hypot(float x, float y) { return __builtin_hypotf(x, y); } inline constexpr long double hypot(long double x, long double y) { return __builtin_hypotl(x, y); } template <class T, class U> constexpr typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), __lo_promote2<T, U>>::type::type hypot(T x, U y) { return __builtin_hypot(x, y); }
inline constexpr float nextafter(float x, float y) { return __builtin_nextafterf(x, y); } inline constexpr long double nextafter(long double x, long double y) { return __builtin_nextafterl(x, y); } template <class T, class U> constexpr typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), __lo_promote2<T, U>>::type::type nextafter(T x, U y) { return __builtin_nextafter(x, y); }
inline constexpr float pow(float x, float y) { return __builtin_powf(x, y); } inline constexpr long double pow(long double x, long double y) { return __builtin_powl(x, y); } template <class T, class U> constexpr typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), __lo_promote2<T, U>>::type::type pow(T x, U y) { return __builtin_pow(x, y); }
inline constexpr float remainder(float x, float y) { return __builtin_remainderf(x, y); } inline constexpr long double remainder(long double x, long double y) { return __builtin_remainderl(x, y); } template <class T, class U> constexpr typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), __lo_promote2<T, U>>::type::type remainder(T x, U y) { return __builtin_remainder(x, y); }
float fma(float, float, float); float frexp(float, int*); float ldexp(float, int); float modf(float, float*); float scalbn(float, int); float scalbln(float, long); float nexttoward(float, long double); float remquo(float, float, int*); int ilogb(float); long lrint(float); long long llrint(float); long lround(float); long long llround(float);
long double fma(long double, long double, long double); long double frexp(long double, int*); long double ldexp(long double, int); long double modf(long double, long double*); long double scalbn(long double, int); long double scalbln(long double, long); long double nexttoward(long double, long double); long double remquo(long double, long double, int*); int ilogb(long double); long lrint(long double); long long llrint(long double); long lround(long double); long long llround(long double);
template <class T> typename __lo_math_if<__is_integral(T), double>::type frexp(T, int*); template <class T> typename __lo_math_if<__is_integral(T), double>::type ldexp(T, int); template <class T> typename __lo_math_if<__is_integral(T), double>::type scalbn(T, int); template <class T> typename __lo_math_if<__is_integral(T), long>::type lround(T); template <class T> typename __lo_math_if<__is_integral(T), long long>::type llround(T); template <class T> typename __lo_math_if<__is_integral(T), long>::type lrint(T); template <class T> typename __lo_math_if<__is_integral(T), int>::type ilogb(T); template <class T, class U, class V> typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U) && __is_arithmetic(V), decltype(T() + U() + V() + 0.f)>::type fma(T, U, V);
inline constexpr bool isnan(float x) { return __builtin_isnan(x); } inline constexpr bool isnan(double x) { return __builtin_isnan(x); } inline constexpr bool isnan(long double x) { return __builtin_isnan(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), bool>::type isnan(T x) { return __builtin_isnan((double)x); }
inline constexpr bool isinf(float x) { return __builtin_isinf(x); } inline constexpr bool isinf(double x) { return __builtin_isinf(x); } inline constexpr bool isinf(long double x) { return __builtin_isinf(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), bool>::type isinf(T x) { return __builtin_isinf((double)x); }
inline constexpr bool isfinite(float x) { return __builtin_isfinite(x); } inline constexpr bool isfinite(double x) { return __builtin_isfinite(x); } inline constexpr bool isfinite(long double x) { return __builtin_isfinite(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), bool>::type isfinite(T x) { return __builtin_isfinite((double)x); }
inline constexpr bool isnormal(float x) { return __builtin_isnormal(x); } inline constexpr bool isnormal(double x) { return __builtin_isnormal(x); } inline constexpr bool isnormal(long double x) { return __builtin_isnormal(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), bool>::type isnormal(T x) { return __builtin_isnormal((double)x); }
inline constexpr bool signbit(float x) { return __builtin_signbit(x); } inline constexpr bool signbit(double x) { return __builtin_signbit(x); } inline constexpr bool signbit(long double x) { return __builtin_signbit(x); } template <class T> constexpr typename __lo_math_if<__is_integral(T), bool>::type signbit(T x) { return __builtin_signbit((double)x); }
inline int fpclassify(float x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); } inline int fpclassify(double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); } inline int fpclassify(long double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
template <class T, class U> typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), bool>::type isgreater(T, U);
template <class T, class U> typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), bool>::type isgreaterequal(T, U);
template <class T, class U> typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), bool>::type isless(T, U);
template <class T, class U> typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), bool>::type islessequal(T, U);
template <class T, class U> typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), bool>::type islessgreater(T, U);
template <class T, class U> typename __lo_math_if<__is_arithmetic(T) && __is_arithmetic(U), bool>::type isunordered(T, U);
}
#endif
