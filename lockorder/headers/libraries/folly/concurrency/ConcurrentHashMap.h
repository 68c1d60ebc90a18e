// Parse-only stand-in for Folly: folly/concurrency/ConcurrentHashMap.h.
#pragma once
#include <stddef.h>
#include <unordered_map>
#include <utility>
namespace folly { template <class K, class V> class ConcurrentHashMap { public: typedef typename std::unordered_map<K, V>::const_iterator ConstIterator; ConstIterator find(const K&) const; ConstIterator cbegin() const; ConstIterator cend() const; ConstIterator begin() const; ConstIterator end() const; template <class... A> std::pair<ConstIterator, bool> insert(A&&...); template <class... A> std::pair<ConstIterator, bool> emplace(A&&...); template <class... A> std::pair<ConstIterator, bool> insert_or_assign(A&&...); size_t erase(const K&); size_t size() const; bool empty() const; void clear(); V operator[](const K&); }; }
