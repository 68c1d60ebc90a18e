// Parse-only stand-in for CUDA's cuda_bf16.h.
#pragma once
#include "vector_types.h"
#include "cuda_fp16.h"
struct __nv_bfloat16_raw { unsigned short x; };
struct __nv_bfloat162_raw { unsigned short x, y; };
typedef struct __nv_bfloat16_raw __nv_bfloat16_raw;
#ifdef __cplusplus
struct __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  template <class T> constexpr __nv_bfloat16(T v) : __x(0) {}
  operator float() const; __nv_bfloat16& operator=(float);
};
struct __nv_bfloat162 { __nv_bfloat16 x, y; __nv_bfloat162() = default; __nv_bfloat162(__nv_bfloat16, __nv_bfloat16); };
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
__nv_bfloat16 operator+(const __nv_bfloat16&, const __nv_bfloat16&); __nv_bfloat16 operator-(const __nv_bfloat16&, const __nv_bfloat16&); __nv_bfloat16 operator*(const __nv_bfloat16&, const __nv_bfloat16&); __nv_bfloat16 operator/(const __nv_bfloat16&, const __nv_bfloat16&);
bool operator<(const __nv_bfloat16&, const __nv_bfloat16&); bool operator>(const __nv_bfloat16&, const __nv_bfloat16&); bool operator==(const __nv_bfloat16&, const __nv_bfloat16&);
__nv_bfloat16 __float2bfloat16(float); __nv_bfloat16 __float2bfloat16_rn(float); __nv_bfloat16 __double2bfloat16(double); float __bfloat162float(__nv_bfloat16); __nv_bfloat162 __float2bfloat162_rn(float); __nv_bfloat162 __floats2bfloat162_rn(float, float); float2 __bfloat1622float2(__nv_bfloat162); __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16); __nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16); float __low2float(__nv_bfloat162); float __high2float(__nv_bfloat162); __nv_bfloat162 make_bfloat162(__nv_bfloat16, __nv_bfloat16);
__nv_bfloat16 __hadd(__nv_bfloat16, __nv_bfloat16); __nv_bfloat16 __hsub(__nv_bfloat16, __nv_bfloat16); __nv_bfloat16 __hmul(__nv_bfloat16, __nv_bfloat16); __nv_bfloat16 __hdiv(__nv_bfloat16, __nv_bfloat16); __nv_bfloat16 __hfma(__nv_bfloat16, __nv_bfloat16, __nv_bfloat16); __nv_bfloat16 __hmin(__nv_bfloat16, __nv_bfloat16); __nv_bfloat16 __hmax(__nv_bfloat16, __nv_bfloat16); __nv_bfloat16 __hneg(__nv_bfloat16); __nv_bfloat16 __habs(__nv_bfloat16);
__nv_bfloat162 __hadd2(__nv_bfloat162, __nv_bfloat162); __nv_bfloat162 __hmul2(__nv_bfloat162, __nv_bfloat162); __nv_bfloat162 __hfma2(__nv_bfloat162, __nv_bfloat162, __nv_bfloat162); __nv_bfloat162 __hmin2(__nv_bfloat162, __nv_bfloat162); __nv_bfloat162 __hmax2(__nv_bfloat162, __nv_bfloat162);
unsigned short __bfloat16_as_ushort(__nv_bfloat16); __nv_bfloat16 __ushort_as_bfloat16(unsigned short);
#endif
