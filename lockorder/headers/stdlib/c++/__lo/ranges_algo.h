// Parse-only stand-in for <__lo/ranges_algo.h>.
#pragma once
#include <iterator>
namespace std { namespace ranges {
#define _LO_X(name) template<class R, class... A> constexpr auto name(R&& r, A&&...) { return std::begin(r); }
_LO_X(find) _LO_X(find_if) _LO_X(sort) _LO_X(stable_sort) _LO_X(max_element) _LO_X(min_element) _LO_X(lower_bound) _LO_X(upper_bound) _LO_X(reverse) _LO_X(fill) _LO_X(unique)
#undef _LO_X
template<class R, class... A> bool any_of(R&&, A&&...) {} template<class R, class... A> bool all_of(R&&, A&&...) {} template<class R, class... A> bool none_of(R&&, A&&...) {} template<class R, class... A> ptrdiff_t count_if(R&&, A&&...) {} template<class R, class... A> ptrdiff_t count(R&&, A&&...) {} template<class R, class F> void for_each(R&&, F) {} template<class R, class O, class... A> void copy(R&&, O, A&&...) {} template<class R, class O, class... A> void transform(R&&, O, A&&...) {} template<class R, class... A> bool contains(R&&, A&&...) {} template<class R, class T> bool equal(R&&, T&&) {} template<class R> auto begin(R&& r) -> decltype(std::begin(r)) {} template<class R> auto end(R&& r) -> decltype(std::end(r)) {} template<class R> size_t size(R&&) {} template<class R> bool empty(R&&) {}
} }
