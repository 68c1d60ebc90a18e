// Parse-only stand-in for PyTorch: c10/util/hash.h.
#pragma once
#include <cstddef>
#include <functional>
#include <utility>
namespace c10 {
size_t hash_combine(size_t seed, size_t value); template <class... T> size_t get_hash(const T&... args);
template <class T> struct hash { size_t operator()(const T& t) const; };
}
