// Parse-only stand-in for Abseil: absl/container/node_hash_set.h.
#pragma once
#include <functional>
#include <memory>
#include <unordered_set>
namespace absl { template <class K, class H = std::hash<K>, class E = std::equal_to<K>, class A = std::allocator<K>> class node_hash_set : public std::unordered_set<K, H, E, A> { public: using std::unordered_set<K, H, E, A>::unordered_set; bool contains(const K&) const; template <class Q> bool contains(const Q&) const; }; }
