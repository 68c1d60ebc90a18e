// Parse-only stand-in for CUDA's vector_types.h: the short vector types and dim3.
#pragma once
#include "crt/host_defines.h"
#define LOSTUB_VEC(T, N) \
  struct N##1 { T x; }; struct N##2 { T x, y; }; struct N##3 { T x, y, z; }; struct N##4 { T x, y, z, w; }; \
  typedef struct N##1 N##1; typedef struct N##2 N##2; typedef struct N##3 N##3; typedef struct N##4 N##4;
LOSTUB_VEC(signed char, char)
LOSTUB_VEC(unsigned char, uchar)
LOSTUB_VEC(short, short)
LOSTUB_VEC(unsigned short, ushort)
LOSTUB_VEC(int, int)
LOSTUB_VEC(unsigned int, uint)
LOSTUB_VEC(long, long)
LOSTUB_VEC(unsigned long, ulong)
LOSTUB_VEC(long long, longlong)
LOSTUB_VEC(unsigned long long, ulonglong)
LOSTUB_VEC(float, float)
LOSTUB_VEC(double, double)
#undef LOSTUB_VEC
struct dim3 {
#ifdef __cplusplus
  constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
  unsigned int x, y, z;
};
typedef struct dim3 dim3;
