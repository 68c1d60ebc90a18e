// Parse-only stand-in for PyTorch: c10/util/flat_hash_map.h.
#pragma once
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
namespace ska {
template <class K, class V, class H = std::hash<K>, class E = std::equal_to<K>, class A = std::allocator<std::pair<K, V>>> class flat_hash_map : public std::unordered_map<K, V, H, E> { public: using std::unordered_map<K, V, H, E>::unordered_map; };
template <class T, class H = std::hash<T>, class E = std::equal_to<T>, class A = std::allocator<T>> class flat_hash_set : public std::unordered_set<T, H, E> { public: using std::unordered_set<T, H, E>::unordered_set; };
}
