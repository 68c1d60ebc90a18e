/* Parse-only stand-in for <immintrin.h>. */
#pragma once
#include <stddef.h>
typedef float __m128 __attribute__((__vector_size__(16))); typedef double __m128d __attribute__((__vector_size__(16))); typedef long long __m128i __attribute__((__vector_size__(16)));
typedef float __m256 __attribute__((__vector_size__(32))); typedef double __m256d __attribute__((__vector_size__(32))); typedef long long __m256i __attribute__((__vector_size__(32)));
typedef float __m512 __attribute__((__vector_size__(64))); typedef double __m512d __attribute__((__vector_size__(64))); typedef long long __m512i __attribute__((__vector_size__(64)));
#if !__has_builtin(_mm_pause)
void _mm_pause(void);
#endif
#ifdef __cplusplus
extern "C" {
#endif
void _mm_mfence(void); void _mm_lfence(void); void _mm_sfence(void); void _mm_clflush(void const*); void _mm_prefetch(void const*, int); unsigned int _mm_getcsr(void); void _mm_setcsr(unsigned int);
unsigned long long __lo_rdtsc(void); unsigned long long __rdtscp(unsigned int*); void* _mm_malloc(size_t, size_t); void _mm_free(void*);
__m128i _mm_setzero_si128(void); __m128i _mm_set1_epi8(char); __m128i _mm_loadu_si128(__m128i const*); __m128i _mm_load_si128(__m128i const*); void _mm_storeu_si128(__m128i*, __m128i); void _mm_store_si128(__m128i*, __m128i); void _mm_stream_si128(__m128i*, __m128i);
__m128i _mm_cmpeq_epi8(__m128i, __m128i); int _mm_movemask_epi8(__m128i); __m128i _mm_and_si128(__m128i, __m128i); __m128i _mm_or_si128(__m128i, __m128i); __m128i _mm_xor_si128(__m128i, __m128i); __m128 _mm_setzero_ps(void); __m128 _mm_set1_ps(float); __m128 _mm_loadu_ps(float const*); void _mm_storeu_ps(float*, __m128); __m128 _mm_add_ps(__m128, __m128); __m128 _mm_mul_ps(__m128, __m128);
__m256i _mm256_setzero_si256(void); __m256i _mm256_loadu_si256(__m256i const*); __m256i _mm256_load_si256(__m256i const*); void _mm256_storeu_si256(__m256i*, __m256i); void _mm256_store_si256(__m256i*, __m256i); __m256 _mm256_setzero_ps(void); __m256 _mm256_set1_ps(float); __m256 _mm256_loadu_ps(float const*); __m256 _mm256_load_ps(float const*); void _mm256_storeu_ps(float*, __m256); void _mm256_store_ps(float*, __m256); __m256 _mm256_add_ps(__m256, __m256); __m256 _mm256_mul_ps(__m256, __m256); __m256 _mm256_fmadd_ps(__m256, __m256, __m256); __m256 _mm256_max_ps(__m256, __m256);
__m128i _mm256_cvtps_ph(__m256, int); __m256 _mm256_cvtph_ps(__m128i); float _cvtsh_ss(unsigned short); unsigned short _cvtss_sh(float, int); unsigned int _mm_crc32_u8(unsigned int, unsigned char); unsigned int _mm_crc32_u32(unsigned int, unsigned int); unsigned long long _mm_crc32_u64(unsigned long long, unsigned long long);
void _mm_stream_si64(long long*, long long); void _mm_stream_si32(int*, int); void _mm_clflushopt(void const*); void _mm_clwb(void const*); int _popcnt32(int); long long _popcnt64(long long); unsigned int _tzcnt_u32(unsigned int); unsigned long long _tzcnt_u64(unsigned long long); unsigned int _lzcnt_u32(unsigned int); unsigned long long _lzcnt_u64(unsigned long long);
#ifdef __cplusplus
}
#endif
#define __rdtsc() __lo_rdtsc()
#define _rdtsc() __lo_rdtsc()
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _MM_FLUSH_ZERO_ON 0x8000
#define _MM_FLUSH_ZERO_OFF 0
#define _MM_SET_FLUSH_ZERO_MODE(x) ((void)(x))
#define _MM_GET_FLUSH_ZERO_MODE() 0
#define _MM_DENORMALS_ZERO_ON 0x40
#define _MM_DENORMALS_ZERO_OFF 0
#define _MM_SET_DENORMALS_ZERO_MODE(x) ((void)(x))
#define _MM_GET_DENORMALS_ZERO_MODE() 0
