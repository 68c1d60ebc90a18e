// Parse-only stand-in for Abseil: absl/base/optimization.h.
#pragma once
#include "attributes.h"
#define ABSL_PREDICT_TRUE(x) (x)
#define ABSL_PREDICT_FALSE(x) (x)
#define ABSL_CACHELINE_SIZE 64
#define ABSL_CACHELINE_ALIGNED alignas(64)
#define ABSL_BLOCK_TAIL_CALL_OPTIMIZATION()
#define ABSL_ASSUME(c) ((void)(c))
#define ABSL_UNREACHABLE() __builtin_unreachable()
