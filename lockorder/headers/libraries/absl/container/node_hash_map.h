// Parse-only stand-in for Abseil: absl/container/node_hash_map.h.
#pragma once
#include <functional>
#include <memory>
#include <unordered_map>
namespace absl { template <class K, class V, class H = std::hash<K>, class E = std::equal_to<K>, class A = std::allocator<std::pair<const K, V>>> class node_hash_map : public std::unordered_map<K, V, H, E, A> { public: using std::unordered_map<K, V, H, E, A>::unordered_map; bool contains(const K&) const; template <class Q> bool contains(const Q&) const; }; }
