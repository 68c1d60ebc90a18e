// Parse-only stand-in for <__lo/abs.h>.
#pragma once
#include <stdlib.h>
#ifndef __cpp_lib_lo_abs
namespace std { using ::abs; constexpr double abs(double x) { return __builtin_fabs(x); } constexpr float abs(float x) { return __builtin_fabsf(x); } constexpr long double abs(long double x) { return __builtin_fabsl(x); } constexpr long abs(long x) { return x < 0 ? -x : x; } constexpr long long abs(long long x) { return x < 0 ? -x : x; } }
#endif
