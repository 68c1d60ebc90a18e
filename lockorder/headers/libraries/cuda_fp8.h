// Parse-only stand-in for CUDA's cuda_fp8.h.
#pragma once
#include "cuda_fp16.h"
#include "cuda_bf16.h"
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;
#ifdef __cplusplus
#define LOSTUB_FP8(N, S) struct N { S __x; N() = default; template <class T> explicit N(T v); explicit operator float() const; explicit operator double() const; explicit operator __half() const; explicit operator __nv_bfloat16() const; };
#define LOSTUB_FP8V(N, S, V) struct N { S __x; N() = default; template <class... T> explicit N(T... v); explicit operator V() const; };
LOSTUB_FP8(__nv_fp8_e4m3, __nv_fp8_storage_t)
LOSTUB_FP8(__nv_fp8_e5m2, __nv_fp8_storage_t)
LOSTUB_FP8(__nv_fp8_e8m0, __nv_fp8_storage_t)
LOSTUB_FP8V(__nv_fp8x2_e4m3, __nv_fp8x2_storage_t, float2)
LOSTUB_FP8V(__nv_fp8x2_e5m2, __nv_fp8x2_storage_t, float2)
LOSTUB_FP8V(__nv_fp8x4_e4m3, __nv_fp8x4_storage_t, float4)
LOSTUB_FP8V(__nv_fp8x4_e5m2, __nv_fp8x4_storage_t, float4)
#undef LOSTUB_FP8
#undef LOSTUB_FP8V
__nv_fp8_storage_t __nv_cvt_float_to_fp8(float, __nv_saturation_t, __nv_fp8_interpretation_t); __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t, __nv_fp8_interpretation_t); __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t, __nv_fp8_interpretation_t); __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
#endif
