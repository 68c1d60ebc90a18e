// Parse-only stand-in for CUDA's device functions: barriers, shuffles, atomics, fences, fast maths.
#pragma once
#include "vector_types.h"
#include <stddef.h>
#ifdef __cplusplus
#define LOSTUB_NOEX noexcept
extern "C" {
void __syncthreads(void); int __syncthreads_count(int p); int __syncthreads_and(int p); int __syncthreads_or(int p);
void __threadfence(void); void __threadfence_block(void); void __threadfence_system(void); void __trap(void); void __brkpt(); void __nanosleep(unsigned int ns);
unsigned int __activemask(void); int __all_sync(unsigned m, int p); int __any_sync(unsigned m, int p); unsigned __ballot_sync(unsigned m, int p); int __all(int); int __any(int); unsigned __ballot(int); unsigned __fns(unsigned, unsigned, int);
long long clock64(void); unsigned long long globaltimer(void);
int __clz(int x); int __clzll(long long x); int __popc(unsigned int x); int __popcll(unsigned long long x); int __ffs(int x); int __ffsll(long long x); unsigned int __brev(unsigned int x); unsigned long long __brevll(unsigned long long x);
int __mulhi(int, int); unsigned __umulhi(unsigned, unsigned); long long __mul64hi(long long, long long); unsigned long long __umul64hi(unsigned long long, unsigned long long); int __mul24(int, int); unsigned __umul24(unsigned, unsigned); unsigned __sad(int, int, unsigned);
unsigned __byte_perm(unsigned, unsigned, unsigned); unsigned __funnelshift_l(unsigned, unsigned, unsigned); unsigned __funnelshift_r(unsigned, unsigned, unsigned); unsigned __funnelshift_rc(unsigned, unsigned, unsigned);
float __expf(float) LOSTUB_NOEX; float __exp10f(float) LOSTUB_NOEX; float __logf(float) LOSTUB_NOEX; float __log2f(float) LOSTUB_NOEX; float __log10f(float) LOSTUB_NOEX; float __sinf(float) LOSTUB_NOEX; float __cosf(float) LOSTUB_NOEX; float __tanf(float) LOSTUB_NOEX; float __powf(float, float) LOSTUB_NOEX; void __sincosf(float, float*, float*) LOSTUB_NOEX; float __fdividef(float, float) LOSTUB_NOEX; float __saturatef(float) LOSTUB_NOEX;
float __fmaf_rn(float, float, float); float __fadd_rn(float, float); float __fmul_rn(float, float); float __fsub_rn(float, float); float __fdiv_rn(float, float); float __frcp_rn(float); float __fsqrt_rn(float); float __frsqrt_rn(float); double __dadd_rn(double, double); double __dmul_rn(double, double); double __fma_rn(double, double, double);
float fminf(float, float) LOSTUB_NOEX; float fmaxf(float, float) LOSTUB_NOEX; float fmodf(float, float) LOSTUB_NOEX; float powf(float, float) LOSTUB_NOEX; float atan2f(float, float) LOSTUB_NOEX; float hypotf(float, float) LOSTUB_NOEX; double fmin(double, double) LOSTUB_NOEX; double fmax(double, double) LOSTUB_NOEX; double fmod(double, double) LOSTUB_NOEX; double pow(double, double) LOSTUB_NOEX; double atan2(double, double) LOSTUB_NOEX; float sqrtf(float) LOSTUB_NOEX; float expf(float) LOSTUB_NOEX; float exp2f(float) LOSTUB_NOEX; float logf(float) LOSTUB_NOEX; float log2f(float) LOSTUB_NOEX; float log10f(float) LOSTUB_NOEX; float log1pf(float) LOSTUB_NOEX; float expm1f(float) LOSTUB_NOEX; float sinf(float) LOSTUB_NOEX; float cosf(float) LOSTUB_NOEX; float tanf(float) LOSTUB_NOEX; float tanhf(float) LOSTUB_NOEX; float sinhf(float) LOSTUB_NOEX; float coshf(float) LOSTUB_NOEX; float asinf(float) LOSTUB_NOEX; float acosf(float) LOSTUB_NOEX; float atanf(float) LOSTUB_NOEX; float fabsf(float) LOSTUB_NOEX; float floorf(float) LOSTUB_NOEX; float ceilf(float) LOSTUB_NOEX; float roundf(float) LOSTUB_NOEX; float truncf(float) LOSTUB_NOEX; float rintf(float) LOSTUB_NOEX; float nearbyintf(float) LOSTUB_NOEX; float erff(float) LOSTUB_NOEX; float erfcf(float) LOSTUB_NOEX; float tgammaf(float) LOSTUB_NOEX; float lgammaf(float) LOSTUB_NOEX; float cbrtf(float) LOSTUB_NOEX; float fmaf(float, float, float) LOSTUB_NOEX;
float rsqrtf(float) LOSTUB_NOEX; double rsqrt(double) LOSTUB_NOEX; float rcbrtf(float) LOSTUB_NOEX; float sinpif(float) LOSTUB_NOEX; float cospif(float) LOSTUB_NOEX; float normcdff(float) LOSTUB_NOEX; double normcdf(double) LOSTUB_NOEX; float erfinvf(float) LOSTUB_NOEX; double erfinv(double) LOSTUB_NOEX; float normcdfinvf(float) LOSTUB_NOEX; float erfcinvf(float) LOSTUB_NOEX;
int __float2int_rn(float); int __float2int_rz(float); int __float2int_rd(float); int __float2int_ru(float); unsigned __float2uint_rn(float); unsigned __float2uint_rz(float); float __int2float_rn(int); float __uint2float_rn(unsigned); int __double2int_rn(double); float __double2float_rn(double); long long __double2ll_rn(double); long long __float2ll_rn(float);
int __float_as_int(float); unsigned __float_as_uint(float); float __int_as_float(int); float __uint_as_float(unsigned); long long __double_as_longlong(double); double __longlong_as_double(long long); int __double2hiint(double); int __double2loint(double); double __hiloint2double(int, int);
unsigned __vadd2(unsigned, unsigned); unsigned __vadd4(unsigned, unsigned); unsigned __vmaxu4(unsigned, unsigned); int __dp4a(int, int, int);
size_t __cvta_generic_to_shared(const void*); size_t __cvta_generic_to_global(const void*); void* __cvta_shared_to_generic(size_t); void* __cvta_global_to_generic(size_t); unsigned __isGlobal(const void*); unsigned __isShared(const void*); unsigned __isLocal(const void*); unsigned __isConstant(const void*);
unsigned __reduce_add_sync(unsigned, unsigned); unsigned __reduce_min_sync(unsigned, unsigned); unsigned __reduce_max_sync(unsigned, unsigned); unsigned __reduce_and_sync(unsigned, unsigned); unsigned __reduce_or_sync(unsigned, unsigned); unsigned __reduce_xor_sync(unsigned, unsigned);
void __prof_trigger(int); void __pipeline_commit(void); void __pipeline_wait_prior(size_t); void __pipeline_memcpy_async(void*, const void*, size_t, size_t = 0);
void __cluster_barrier_arrive(void); void __cluster_barrier_wait(void); void cudaGridDependencySynchronize(void); void cudaTriggerProgrammaticLaunchCompletion(void);
}
void __syncwarp(unsigned mask = 0xffffffffu);
template <class T> T __shfl_sync(unsigned m, T v, int lane, int width = 32);
template <class T> T __shfl_up_sync(unsigned m, T v, unsigned d, int width = 32);
template <class T> T __shfl_down_sync(unsigned m, T v, unsigned d, int width = 32);
template <class T> T __shfl_xor_sync(unsigned m, T v, int lane, int width = 32);
template <class T> T __shfl(T v, int lane, int width = 32);
template <class T> T __shfl_up(T v, unsigned d, int width = 32);
template <class T> T __shfl_down(T v, unsigned d, int width = 32);
template <class T> T __shfl_xor(T v, int lane, int width = 32);
template <class T> unsigned __match_any_sync(unsigned m, T v);
template <class T> unsigned __match_all_sync(unsigned m, T v, int* pred);
template <class T> T __ldg(const T* p); template <class T> T __ldcg(const T* p); template <class T> T __ldca(const T* p); template <class T> T __ldcs(const T* p); template <class T> T __ldlu(const T* p); template <class T> T __ldcv(const T* p);
template <class T, class U> void __stwb(T* p, U v); template <class T, class U> void __stcg(T* p, U v); template <class T, class U> void __stcs(T* p, U v); template <class T, class U> void __stwt(T* p, U v);
#define LOSTUB_ATOM(f) template <class T, class U> T f(T* p, U v); template <class T, class U> T f##_system(T* p, U v); template <class T, class U> T f##_block(T* p, U v);
LOSTUB_ATOM(atomicAdd)
LOSTUB_ATOM(atomicSub)
LOSTUB_ATOM(atomicExch)
LOSTUB_ATOM(atomicMin)
LOSTUB_ATOM(atomicMax)
LOSTUB_ATOM(atomicAnd)
LOSTUB_ATOM(atomicOr)
LOSTUB_ATOM(atomicXor)
LOSTUB_ATOM(atomicInc)
LOSTUB_ATOM(atomicDec)
#undef LOSTUB_ATOM
template <class T, class U, class V> T atomicCAS(T* p, U c, V v);
template <class T, class U, class V> T atomicCAS_system(T* p, U c, V v);
template <class T, class U, class V> T atomicCAS_block(T* p, U c, V v);
template <class A, class B> auto min(A a, B b) -> decltype(a < b ? a : b);
template <class A, class B> auto max(A a, B b) -> decltype(a < b ? a : b);
#endif
