// Parse-only stand-in for PyTorch: c10/util/OptionalArrayRef.h.
#pragma once
#include <c10/util/ArrayRef.h>
#include <c10/util/Optional.h>
namespace c10 { template <class T> using OptionalArrayRef = optional<ArrayRef<T>>; using OptionalIntArrayRef = OptionalArrayRef<int64_t>; }
