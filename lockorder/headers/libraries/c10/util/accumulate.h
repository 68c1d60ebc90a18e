// Parse-only stand-in for PyTorch: c10/util/accumulate.h.
#pragma once
#include <cstdint>
namespace c10 { template <class C> int64_t sum_integers(const C& c); template <class C> int64_t multiply_integers(const C& c); template <class I> int64_t multiply_integers(I b, I e); }
