// Parse-only stand-in for CUDA's vector_functions.h: make_<vector> functions.
#pragma once
#include "vector_types.h"
#ifdef __cplusplus
#define LOSTUB_MAKE(T, N) \
  N##1 make_##N##1(T x); N##2 make_##N##2(T x, T y); N##3 make_##N##3(T x, T y, T z); N##4 make_##N##4(T x, T y, T z, T w);
LOSTUB_MAKE(signed char, char)
LOSTUB_MAKE(unsigned char, uchar)
LOSTUB_MAKE(short, short)
LOSTUB_MAKE(unsigned short, ushort)
LOSTUB_MAKE(int, int)
LOSTUB_MAKE(unsigned int, uint)
LOSTUB_MAKE(long, long)
LOSTUB_MAKE(unsigned long, ulong)
LOSTUB_MAKE(long long, longlong)
LOSTUB_MAKE(unsigned long long, ulonglong)
LOSTUB_MAKE(float, float)
LOSTUB_MAKE(double, double)
#undef LOSTUB_MAKE
#endif
