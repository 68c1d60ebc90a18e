/* Parse-only stand-in for <iconv.h>. */
#pragma once
#include <stddef.h>
#include <features.h>
typedef void* iconv_t;
__BEGIN_DECLS
iconv_t iconv_open(const char*, const char*); size_t iconv(iconv_t, char** __restrict, size_t* __restrict, char** __restrict, size_t* __restrict); int iconv_close(iconv_t);
__END_DECLS
