// Parse-only stand-in for Folly: folly/Likely.h.
#pragma once
#define FOLLY_LIKELY(x) (x)
#define FOLLY_UNLIKELY(x) (x)
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
