// Parse-only stand-in for Abseil: absl/base/macros.h.
#pragma once
#include <cassert>
#include <cstddef>
#define ABSL_ARRAYSIZE(a) (sizeof(a) / sizeof((a)[0]))
#define ABSL_ASSERT(e) ((void)(e))
#define ABSL_INTERNAL_TRY try
#define ABSL_NAMESPACE_BEGIN
#define ABSL_NAMESPACE_END
