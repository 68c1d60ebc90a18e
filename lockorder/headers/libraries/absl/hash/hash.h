// Parse-only stand-in for Abseil: absl/hash/hash.h.
#pragma once
#include <stddef.h>
#include <functional>
namespace absl { template <class T> using Hash = std::hash<T>; template <class... T> size_t HashOf(const T&...) { return 0; } }
