// Parse-only stand-in for Abseil: absl/algorithm/container.h.
#pragma once
#include <algorithm>
#include <numeric>
namespace absl { template <class C, class V> bool c_linear_search(const C&, const V&); template <class C, class P> bool c_any_of(const C&, P) { return true; } template <class C, class P> bool c_all_of(const C&, P) { return true; } template <class C> void c_sort(C&); template <class C, class P> void c_sort(C&, P) {} template <class C, class P> auto c_find_if(C& c, P) -> decltype(c.begin()) { return c.begin(); } template <class C, class V> auto c_find(C& c, const V&) -> decltype(c.begin()); template <class C, class T> T c_accumulate(const C&, T); template <class C, class P> int c_count_if(const C&, P) { return 0; } }
