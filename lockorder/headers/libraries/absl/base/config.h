// Parse-only stand-in for Abseil: absl/base/config.h.
#pragma once
#define ABSL_NAMESPACE_BEGIN
#define ABSL_NAMESPACE_END
