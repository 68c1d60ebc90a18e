// Parse-only stand-in for Abseil: absl/types/span.h.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
namespace absl {
template <class T> class Span { public: typedef typename std::remove_cv<T>::type value_type; typedef T* iterator; typedef T* const_iterator; typedef T& reference; static constexpr size_t npos = ~size_t(0); constexpr Span() {} constexpr Span(T*, size_t) {} template <size_t N> constexpr Span(T (&)[N]) {} template <class C, class = decltype(std::declval<C&>().data())> Span(C&) {} template <class C, class = decltype(std::declval<const C&>().data())> Span(const C&) {} Span(std::initializer_list<value_type>) {} T* data() const; size_t size() const; size_t length() const; bool empty() const; T& operator[](size_t) const; T& at(size_t) const; T& front() const; T& back() const; T* begin() const; T* end() const; std::reverse_iterator<T*> rbegin() const; std::reverse_iterator<T*> rend() const; Span subspan(size_t, size_t = npos) const; Span first(size_t) const; Span last(size_t) const; void remove_prefix(size_t); void remove_suffix(size_t); };
template <class T> Span<T> MakeSpan(T*, size_t); template <class C> auto MakeSpan(C& c) -> Span<typename std::remove_pointer<decltype(c.data())>::type>; template <class T> Span<const T> MakeConstSpan(const T*, size_t); template <class C> auto MakeConstSpan(const C& c) -> Span<const typename C::value_type>;
}
