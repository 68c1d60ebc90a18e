// Parse-only stand-in for Gloo: gloo/math.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include "gloo/types.h"
namespace gloo {
template <class T> void sum(void* c, const void* a, const void* b, size_t n); template <class T> void sum(T* a, const T* b, size_t n);
template <class T> void product(void* c, const void* a, const void* b, size_t n); template <class T> void product(T* a, const T* b, size_t n);
template <class T> void max(void* c, const void* a, const void* b, size_t n); template <class T> void max(T* a, const T* b, size_t n);
template <class T> void min(void* c, const void* a, const void* b, size_t n); template <class T> void min(T* a, const T* b, size_t n);
uint32_t log2ceil(uint32_t value);
}
