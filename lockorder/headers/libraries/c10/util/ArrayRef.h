// Parse-only stand-in for PyTorch: c10/util/ArrayRef.h.
#pragma once
#include <c10/macros/Macros.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <vector>
namespace c10 {
template <class T> class ArrayRef final {
 public:
  using value_type = T; using size_type = size_t; using iterator = const T*; using const_iterator = const T*;
  constexpr ArrayRef() : p_(nullptr), n_(0) {} constexpr ArrayRef(const T& one) : p_(&one), n_(1) {} constexpr ArrayRef(const T* data, size_t length) : p_(data), n_(length) {} constexpr ArrayRef(const T* begin, const T* end) : p_(begin), n_(static_cast<size_t>(end - begin)) {} ArrayRef(const std::vector<T>& v) : p_(v.data()), n_(v.size()) {} template <size_t N> constexpr ArrayRef(const std::array<T, N>& a) : p_(a.data()), n_(N) {} template <size_t N> constexpr ArrayRef(const T (&a)[N]) : p_(a), n_(N) {} constexpr ArrayRef(const std::initializer_list<T>& l) : p_(l.begin()), n_(l.size()) {} template <class C, class = decltype(static_cast<const T*>(static_cast<const C*>(nullptr)->data()))> ArrayRef(const C& c) : p_(c.data()), n_(c.size()) {}
  constexpr iterator begin() const { return p_; } constexpr iterator end() const { return p_ + n_; } constexpr const_iterator cbegin() const { return p_; } constexpr const_iterator cend() const { return p_ + n_; } constexpr bool empty() const { return n_ == 0; } constexpr const T* data() const { return p_; } constexpr size_t size() const { return n_; } const T& front() const; const T& back() const; bool equals(ArrayRef) const; ArrayRef<T> slice(size_t n, size_t m) const; ArrayRef<T> slice(size_t n) const; constexpr const T& operator[](size_t i) const { return p_[i]; } const T& at(size_t i) const; std::vector<T> vec() const { return std::vector<T>(p_, p_ + n_); }
 private:
  const T* p_; size_t n_;
};
template <class T> std::ostream& operator<<(std::ostream& out, ArrayRef<T> list);
template <class T> ArrayRef<T> makeArrayRef(const T& one); template <class T> ArrayRef<T> makeArrayRef(const T* data, size_t length); template <class T> ArrayRef<T> makeArrayRef(const std::vector<T>& v); template <class T, size_t N> ArrayRef<T> makeArrayRef(const std::array<T, N>& a);
template <class T> bool operator==(ArrayRef<T> a, ArrayRef<T> b); template <class T> bool operator!=(ArrayRef<T> a, ArrayRef<T> b); template <class T> bool operator==(const std::vector<T>& a, ArrayRef<T> b); template <class T> bool operator!=(const std::vector<T>& a, ArrayRef<T> b); template <class T> bool operator==(ArrayRef<T> a, const std::vector<T>& b); template <class T> bool operator!=(ArrayRef<T> a, const std::vector<T>& b);
using IntArrayRef = ArrayRef<int64_t>; using IntList = ArrayRef<int64_t>;
}
