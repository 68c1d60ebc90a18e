/* Parse-only stand-in for <cpuid.h>. */
#pragma once
#define bit_SSE2 0x04000000
#define bit_AVX 0x10000000
#define bit_AVX2 0x20
#define bit_AVX512F 0x10000
#define bit_F16C 0x20000000
#define bit_FMA 0x1000
#define bit_OSXSAVE 0x08000000
#define bit_SSE4_2 0x00100000
#define bit_POPCNT 0x00800000
#define __cpuid(l, a, b, c, d) ((a) = (b) = (c) = (d) = (l))
#define __cpuid_count(l, n, a, b, c, d) ((a) = (b) = (c) = (d) = (l) + (n))
static inline int __get_cpuid(unsigned l, unsigned* a, unsigned* b, unsigned* c, unsigned* d) { *a = *b = *c = *d = l; return 1; }
static inline int __get_cpuid_count(unsigned l, unsigned n, unsigned* a, unsigned* b, unsigned* c, unsigned* d) { *a = *b = *c = *d = l + n; return 1; }
static inline unsigned __get_cpuid_max(unsigned e, unsigned* s) { (void)s; return e; }
