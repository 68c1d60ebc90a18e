/* Parse-only stand-in for <stddef.h>. */
#pragma once
#include <features.h>
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifdef __cplusplus
#define NULL __null
typedef decltype(nullptr) nullptr_t;
#else
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void*)0)
#endif
typedef __WINT_TYPE__ wint_t;
typedef struct { long long a __attribute__((aligned(8))); long double b __attribute__((aligned(16))); } max_align_t;
#define offsetof(t, m) __builtin_offsetof(t, m)
