// Parse-only stand-in for Folly: folly/Portability.h.
#pragma once
#define FOLLY_NODISCARD
#define FOLLY_ALWAYS_INLINE inline
#define FOLLY_NOINLINE
#define FOLLY_EXPORT
#define FOLLY_MAYBE_UNUSED
