// Parse-only stand-in for cuRAND's device header curand_kernel.h.
#pragma once
#include "curand.h"
#ifdef __cplusplus
struct curandStatePhilox4_32_10 { uint4 ctr, output; uint2 key; unsigned int STATE; }; typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
struct curandStateXORWOW { unsigned d; }; typedef curandStateXORWOW curandState_t, curandState, curandStateXORWOW_t; struct mtgp32_kernel_params; struct curandStateMtgp32 { unsigned s[1024]; int offset; mtgp32_kernel_params* k; }; typedef curandStateMtgp32 curandStateMtgp32_t; typedef curandStateMtgp32 curandStateMTGP32;
template <class S> void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, S* state); template <class S> unsigned curand(S* s); template <class S> uint4 curand4(S* s); template <class S> float curand_uniform(S* s); template <class S> double curand_uniform_double(S* s); template <class S> double2 curand_uniform2_double(S* s); template <class S> float4 curand_uniform4(S* s); template <class S> float curand_normal(S* s); template <class S> float2 curand_normal2(S* s); template <class S> double2 curand_normal2_double(S* s); template <class S> double curand_normal_double(S* s); template <class S> float4 curand_normal4(S* s); template <class S> float curand_log_normal(S* s, float m, float sd); template <class S> unsigned curand_poisson(S* s, double l); template <class S> void skipahead(unsigned long long n, S* s);
#endif
