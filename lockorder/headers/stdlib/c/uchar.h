/* Parse-only stand-in for <uchar.h>. */
#pragma once
#include <wchar.h>
#ifndef __cplusplus
typedef __CHAR16_TYPE__ char16_t; typedef __CHAR32_TYPE__ char32_t;
#endif
__BEGIN_DECLS
size_t mbrtoc16(char16_t* __restrict, const char* __restrict, size_t, mbstate_t* __restrict); size_t c16rtomb(char* __restrict, char16_t, mbstate_t* __restrict); size_t mbrtoc32(char32_t* __restrict, const char* __restrict, size_t, mbstate_t* __restrict); size_t c32rtomb(char* __restrict, char32_t, mbstate_t* __restrict);
__END_DECLS
