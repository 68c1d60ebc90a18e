// Parse-only stand-in for Abseil: absl/base/nullability.h.
#pragma once
namespace absl { template <class T> using Nonnull = T; template <class T> using Nullable = T; template <class T> using NullabilityUnknown = T; }
#define absl_nonnull
#define absl_nullable
