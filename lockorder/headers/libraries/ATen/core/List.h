// Parse-only stand-in for PyTorch: ATen/core/List.h.
#pragma once
#include <ATen/core/ivalue.h>
#include <initializer_list>
#include <vector>
namespace c10 { template <class T> class List final { public: List(); List(std::initializer_list<T> l); explicit List(TypePtr elementType); T get(size_t pos) const; T operator[](size_t pos) const; void set(size_t pos, const T& v) const; void push_back(const T& v) const; void emplace_back(const T& v) const; size_t size() const; bool empty() const; void reserve(size_t n) const; void clear() const; T* begin() const; T* end() const; std::vector<T> vec() const; TypePtr elementType() const; void pop_back() const; T extract(size_t pos) const; }; }
