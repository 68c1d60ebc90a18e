// Parse-only stand-in for Abseil: absl/container/inlined_vector.h.
#pragma once
#include <stddef.h>
#include <memory>
#include <vector>
namespace absl { template <class T, size_t N, class A = std::allocator<T>> class InlinedVector : public std::vector<T, A> { public: using std::vector<T, A>::vector; }; }
