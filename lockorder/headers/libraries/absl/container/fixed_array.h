// Parse-only stand-in for Abseil: absl/container/fixed_array.h.
#pragma once
#include <stddef.h>
#include <vector>
namespace absl { template <class T, size_t N = 64> class FixedArray : public std::vector<T> { public: using std::vector<T>::vector; }; }
