// Parse-only stand-in for Gloo: gloo/common/aligned_allocator.h.
#pragma once
#include <memory>
namespace gloo { template <class T, int A> using aligned_allocator = std::allocator<T>; }
