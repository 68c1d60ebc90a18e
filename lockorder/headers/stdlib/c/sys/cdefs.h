/* Parse-only stand-in for <sys/cdefs.h>. */
#pragma once
#include <features.h>
#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif
#define __THROW
#define __THROWNL
#define __NTH(f) f
#define __P(a) a
#define __CONCAT(a, b) a##b
#define __STRING(a) #a
#define __glibc_clang_prereq(a, b) 1
#define __GNUC_PREREQ(a, b) 1
#define __nonnull(a)
#define __wur
#define __attribute_deprecated__
#define __attribute_pure__
#define __attribute_const__
#define __attribute_malloc__
#define __always_inline inline __attribute__((__always_inline__))
