// Parse-only stand-in for PyTorch: c10/util/irange.h.
#pragma once
#include <c10/macros/Macros.h>
#include <cstddef>
#include <iterator>
#include <type_traits>
namespace c10 {
template <class I> struct integer_iterator { using iterator_category = std::input_iterator_tag; using value_type = I; using difference_type = std::ptrdiff_t; using pointer = I*; using reference = I&; I value; I operator*() const { return value; } integer_iterator& operator++() { ++value; return *this; } bool operator==(const integer_iterator& o) const { return value == o.value; } bool operator!=(const integer_iterator& o) const { return value != o.value; } };
template <class I> struct integer_range { integer_iterator<I> begin() const { return begin_; } integer_iterator<I> end() const { return end_; } integer_iterator<I> begin_, end_; };
template <class A, class B> integer_range<B> irange(A begin, B end) { return {{static_cast<B>(begin)}, {end}}; }
template <class I> integer_range<I> irange(I end) { return {{I()}, {end}}; }
}
