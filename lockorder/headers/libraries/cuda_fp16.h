// Parse-only stand-in for CUDA's cuda_fp16.h.
#pragma once
#include "vector_types.h"
struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };
typedef struct __half_raw __half_raw;
typedef struct __half2_raw __half2_raw;
#ifdef __cplusplus
struct __half {
  unsigned short __x;
  __half() = default;
  template <class T> constexpr __half(T v) : __x(0) {}
  operator float() const; operator __half_raw() const; __half& operator=(float); __half& operator=(double);
};
struct __half2 { __half x, y; __half2() = default; __half2(__half, __half); __half2(const __half2_raw&); };
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif
__half operator+(const __half&, const __half&); __half operator-(const __half&, const __half&); __half operator*(const __half&, const __half&); __half operator/(const __half&, const __half&); __half operator-(const __half&); __half& operator+=(__half&, const __half&); __half& operator*=(__half&, const __half&);
__half2 operator+(const __half2&, const __half2&); __half2 operator-(const __half2&, const __half2&); __half2 operator*(const __half2&, const __half2&);
bool operator<(const __half&, const __half&); bool operator>(const __half&, const __half&); bool operator==(const __half&, const __half&); bool operator!=(const __half&, const __half&); bool operator<=(const __half&, const __half&); bool operator>=(const __half&, const __half&);
__half __float2half(float); __half __float2half_rn(float); __half __double2half(double); float __half2float(__half); __half2 __float2half2_rn(float); __half2 __floats2half2_rn(float, float); __half2 __float22half2_rn(float2); float2 __half22float2(__half2); __half2 __half2half2(__half); __half2 __halves2half2(__half, __half); __half __low2half(__half2); __half __high2half(__half2); float __low2float(__half2); float __high2float(__half2); __half2 make_half2(__half, __half);
__half __hadd(__half, __half); __half __hsub(__half, __half); __half __hmul(__half, __half); __half __hdiv(__half, __half); __half __hneg(__half); __half __habs(__half); __half __hfma(__half, __half, __half); __half __hmin(__half, __half); __half __hmax(__half, __half);
__half2 __hadd2(__half2, __half2); __half2 __hsub2(__half2, __half2); __half2 __hmul2(__half2, __half2); __half2 __hfma2(__half2, __half2, __half2); __half2 __hmin2(__half2, __half2); __half2 __hmax2(__half2, __half2); __half2 __h2div(__half2, __half2);
bool __hgt(__half, __half); bool __hlt(__half, __half); bool __heq(__half, __half); bool __hne(__half, __half); bool __hge(__half, __half); bool __hle(__half, __half); bool __hisnan(__half);
__half hexp(__half); __half hlog(__half); __half hsqrt(__half); __half hrsqrt(__half); __half hsin(__half); __half hcos(__half); __half hceil(__half); __half hfloor(__half); __half htrunc(__half);
unsigned short __half_as_ushort(__half); short __half_as_short(__half); __half __ushort_as_half(unsigned short); __half __short_as_half(short); __half __int2half_rn(int); int __half2int_rn(__half); int __half2int_rz(__half);
#endif
