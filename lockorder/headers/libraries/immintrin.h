// Parse-only stand-in for the x86 intrinsics headers (a parser without its own builtin headers sees the compiler's wrong ones).
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
typedef int __m64 __attribute__((__vector_size__(8)));
typedef float __m128 __attribute__((__vector_size__(16)));
typedef double __m128d __attribute__((__vector_size__(16)));
typedef long long __m128i __attribute__((__vector_size__(16)));
typedef float __m256 __attribute__((__vector_size__(32)));
typedef double __m256d __attribute__((__vector_size__(32)));
typedef long long __m256i __attribute__((__vector_size__(32)));
typedef float __m512 __attribute__((__vector_size__(64)));
typedef double __m512d __attribute__((__vector_size__(64)));
typedef long long __m512i __attribute__((__vector_size__(64)));
typedef __m128i __m128bh;
typedef __m256i __m256bh;
typedef __m512i __m512bh;
typedef unsigned char __mmask8;
typedef unsigned short __mmask16;
typedef unsigned int __mmask32;
typedef unsigned long long __mmask64;
#define _MM_SHUFFLE(z, y, x, w) (((z) << 6) | ((y) << 4) | ((x) << 2) | (w))
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _MM_FROUND_TO_NEAREST_INT 0
#define _MM_FROUND_TO_NEG_INF 1
#define _MM_FROUND_TO_POS_INF 2
#define _MM_FROUND_TO_ZERO 3
#define _MM_FROUND_CUR_DIRECTION 4
#define _MM_FROUND_NO_EXC 8
#define _MM_FLUSH_ZERO_MASK 0x8000
#define _MM_FLUSH_ZERO_ON 0x8000
#define _MM_FLUSH_ZERO_OFF 0
#define _MM_DENORMALS_ZERO_MASK 0x40
#define _MM_DENORMALS_ZERO_ON 0x40
#define _MM_DENORMALS_ZERO_OFF 0
#define _MM_SET_FLUSH_ZERO_MODE(m) ((void)(m))
#define _MM_GET_FLUSH_ZERO_MODE() 0
#define _MM_SET_DENORMALS_ZERO_MODE(m) ((void)(m))
#define _MM_GET_DENORMALS_ZERO_MODE() 0
#ifndef _mm_prefetch
#define _mm_prefetch(p, h) ((void)(p), (void)(h))
#endif
#ifdef __cplusplus
extern "C" {
#endif
void _mm_pause(void); void _mm_mfence(void); void _mm_sfence(void); void _mm_lfence(void); void _mm_clflush(const void*); void _mm_clflushopt(const void*); void _mm_clwb(const void*); unsigned _mm_getcsr(void); void _mm_setcsr(unsigned); void* _mm_malloc(size_t, size_t); void _mm_free(void*);
unsigned long long __rdtsc(void); unsigned long long _rdtsc(void); unsigned long long __rdtscp(unsigned*); unsigned _mm_crc32_u8(unsigned, unsigned char); unsigned _mm_crc32_u32(unsigned, unsigned); unsigned long long _mm_crc32_u64(unsigned long long, unsigned long long); int _mm_popcnt_u32(unsigned); long long _mm_popcnt_u64(unsigned long long); unsigned _lzcnt_u32(unsigned); unsigned long long _lzcnt_u64(unsigned long long); unsigned _tzcnt_u32(unsigned); unsigned long long _pext_u64(unsigned long long, unsigned long long); unsigned long long _pdep_u64(unsigned long long, unsigned long long);
float _cvtsh_ss(unsigned short); unsigned short _cvtss_sh(float, int); void _mm_stream_si32(int*, int); void _mm_stream_si64(long long*, long long); int _mm_cvtsi128_si32(__m128i); long long _mm_cvtsi128_si64(__m128i); float _mm_cvtss_f32(__m128); double _mm_cvtsd_f64(__m128d); int _mm_movemask_epi8(__m128i); int _mm_movemask_ps(__m128); int _mm256_movemask_epi8(__m256i); int _mm256_movemask_ps(__m256); int _mm256_movemask_pd(__m256d); unsigned _xgetbv_u(unsigned); void _mm256_zeroupper(void); void _mm256_zeroall(void); float _mm256_cvtss_f32(__m256);
#ifdef __cplusplus
}
// The value-returning families, by result type; any argument list parses.
#define LOSTUB_MM(R, f) template <class... A> R f(A... a);
#define LOSTUB_MMS(p, R, s) LOSTUB_MM(R, p##_add_##s) LOSTUB_MM(R, p##_sub_##s) LOSTUB_MM(R, p##_mul_##s) LOSTUB_MM(R, p##_div_##s) LOSTUB_MM(R, p##_min_##s) LOSTUB_MM(R, p##_max_##s) LOSTUB_MM(R, p##_sqrt_##s) LOSTUB_MM(R, p##_and_##s) LOSTUB_MM(R, p##_or_##s) LOSTUB_MM(R, p##_xor_##s) LOSTUB_MM(R, p##_andnot_##s) LOSTUB_MM(R, p##_set_##s) LOSTUB_MM(R, p##_set1_##s) LOSTUB_MM(R, p##_setr_##s) LOSTUB_MM(R, p##_setzero_##s) LOSTUB_MM(R, p##_load_##s) LOSTUB_MM(R, p##_loadu_##s) LOSTUB_MM(R, p##_unpacklo_##s) LOSTUB_MM(R, p##_unpackhi_##s) LOSTUB_MM(R, p##_shuffle_##s) LOSTUB_MM(R, p##_blendv_##s) LOSTUB_MM(R, p##_blend_##s) LOSTUB_MM(R, p##_fmadd_##s) LOSTUB_MM(R, p##_fmsub_##s) LOSTUB_MM(R, p##_fnmadd_##s) LOSTUB_MM(R, p##_hadd_##s) LOSTUB_MM(R, p##_permute_##s) LOSTUB_MM(R, p##_round_##s) LOSTUB_MM(R, p##_floor_##s) LOSTUB_MM(R, p##_ceil_##s) LOSTUB_MM(R, p##_maskload_##s) LOSTUB_MM(R, p##_cmp_##s) LOSTUB_MM(R, p##_rcp_##s) LOSTUB_MM(R, p##_rsqrt_##s) LOSTUB_MM(R, p##_broadcast_##s##_) LOSTUB_MM(void, p##_store_##s) LOSTUB_MM(void, p##_storeu_##s) LOSTUB_MM(void, p##_stream_##s) LOSTUB_MM(void, p##_maskstore_##s)
LOSTUB_MMS(_mm, __m128, ps) LOSTUB_MMS(_mm, __m128d, pd) LOSTUB_MMS(_mm256, __m256, ps) LOSTUB_MMS(_mm256, __m256d, pd) LOSTUB_MMS(_mm512, __m512, ps) LOSTUB_MMS(_mm512, __m512d, pd)
#define LOSTUB_MMI(p, R, s) LOSTUB_MM(R, p##_add_##s) LOSTUB_MM(R, p##_sub_##s) LOSTUB_MM(R, p##_mul_##s) LOSTUB_MM(R, p##_mullo_##s) LOSTUB_MM(R, p##_set_##s) LOSTUB_MM(R, p##_set1_##s) LOSTUB_MM(R, p##_setr_##s) LOSTUB_MM(R, p##_cmpeq_##s) LOSTUB_MM(R, p##_cmpgt_##s) LOSTUB_MM(R, p##_min_##s) LOSTUB_MM(R, p##_max_##s) LOSTUB_MM(R, p##_unpacklo_##s) LOSTUB_MM(R, p##_unpackhi_##s) LOSTUB_MM(R, p##_slli_##s) LOSTUB_MM(R, p##_srli_##s) LOSTUB_MM(R, p##_srai_##s) LOSTUB_MM(R, p##_blendv_##s) LOSTUB_MM(R, p##_shuffle_##s) LOSTUB_MM(R, p##_packs_##s) LOSTUB_MM(R, p##_packus_##s) LOSTUB_MM(R, p##_abs_##s)
#define LOSTUB_MMIA(p, R) LOSTUB_MMI(p, R, epi8) LOSTUB_MMI(p, R, epi16) LOSTUB_MMI(p, R, epi32) LOSTUB_MMI(p, R, epi64) LOSTUB_MMI(p, R, epu8) LOSTUB_MMI(p, R, epu16) LOSTUB_MMI(p, R, epu32) LOSTUB_MMI(p, R, epi64x)
LOSTUB_MMIA(_mm, __m128i) LOSTUB_MMIA(_mm256, __m256i) LOSTUB_MMIA(_mm512, __m512i)
#define LOSTUB_MMX(p, R, n) LOSTUB_MM(R, p##_setzero_si##n) LOSTUB_MM(R, p##_load_si##n) LOSTUB_MM(R, p##_loadu_si##n) LOSTUB_MM(R, p##_and_si##n) LOSTUB_MM(R, p##_or_si##n) LOSTUB_MM(R, p##_xor_si##n) LOSTUB_MM(R, p##_andnot_si##n) LOSTUB_MM(void, p##_store_si##n) LOSTUB_MM(void, p##_storeu_si##n) LOSTUB_MM(void, p##_stream_si##n)
LOSTUB_MMX(_mm, __m128i, 128) LOSTUB_MMX(_mm256, __m256i, 256) LOSTUB_MMX(_mm512, __m512i, 512)
LOSTUB_MM(__m128, _mm_cvtph_ps) LOSTUB_MM(__m256, _mm256_cvtph_ps) LOSTUB_MM(__m128i, _mm_cvtps_ph) LOSTUB_MM(__m128i, _mm256_cvtps_ph) LOSTUB_MM(__m256i, _mm512_cvtps_ph) LOSTUB_MM(__m512, _mm512_cvtph_ps) LOSTUB_MM(__m128i, _mm_loadl_epi64) LOSTUB_MM(__m128, _mm_load_ss) LOSTUB_MM(__m128, _mm_set_ss) LOSTUB_MM(__m128, _mm_add_ss) LOSTUB_MM(__m128, _mm_movehl_ps) LOSTUB_MM(__m128, _mm_movehdup_ps) LOSTUB_MM(__m128, _mm256_castps256_ps128) LOSTUB_MM(__m128, _mm256_extractf128_ps) LOSTUB_MM(__m128d, _mm256_extractf128_pd) LOSTUB_MM(__m256i, _mm256_castps_si256) LOSTUB_MM(__m256, _mm256_castsi256_ps) LOSTUB_MM(__m256i, _mm256_cvtps_epi32) LOSTUB_MM(__m256, _mm256_cvtepi32_ps) LOSTUB_MM(__m256i, _mm256_permute2x128_si256) LOSTUB_MM(__m256, _mm256_permute2f128_ps) LOSTUB_MM(__m128i, _mm256_castsi256_si128) LOSTUB_MM(__m128i, _mm256_extracti128_si256) LOSTUB_MM(void, _mm_storel_epi64)
#undef LOSTUB_MM
#undef LOSTUB_MMS
#undef LOSTUB_MMI
#undef LOSTUB_MMIA
#undef LOSTUB_MMX
#endif
