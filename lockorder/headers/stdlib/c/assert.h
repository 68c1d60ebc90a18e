/* Parse-only stand-in for <assert.h>. */
#pragma once
#include <features.h>
__BEGIN_DECLS
void __assert_fail(const char*, const char*, unsigned int, const char*) __attribute__((__noreturn__));
__END_DECLS
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#elif defined(__cplusplus)
#define assert(e) (static_cast<bool>(e) ? void(0) : __assert_fail(#e, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__))
#else
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#endif
#ifndef __cplusplus
#undef static_assert
#define static_assert _Static_assert
#endif
