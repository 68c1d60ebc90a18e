// Parse-only stand-in for PyTorch: ATen/core/Dict.h.
#pragma once
#include <ATen/core/ivalue.h>
#include <utility>
namespace c10 { template <class K, class V> class Dict final { public: Dict(); explicit Dict(TypePtr k, TypePtr v); template <class A, class B> bool insert(A&& k, B&& v) const; template <class A, class B> bool insert_or_assign(A&& k, B&& v) const; V at(const K& key) const; bool contains(const K& key) const; size_t erase(const K& key) const; size_t size() const; bool empty() const; void clear() const; struct entry { K key() const; V value() const; }; entry* begin() const; entry* end() const; entry* find(const K& key) const; }; }
