// Parse-only stand-in for <__lo/chartraits.h>.
#pragma once
#include <__lo/base.h>
#include <iosfwd>
#include <wchar.h>
namespace std {
template<class S> class fpos { public: fpos() {} fpos(streamoff) {} operator streamoff() const {} ptrdiff_t operator-(const fpos&) const {} fpos operator+(streamoff) const {} fpos& operator+=(streamoff) {} S state() const {} }; using streampos = fpos<mbstate_t>; using wstreampos = streampos;
template<class C> struct char_traits { using char_type = C; using int_type = int; using off_type = streamoff; using pos_type = streampos; using state_type = mbstate_t; static constexpr size_t length(const C* s) { size_t n = 0; while (s[n]) ++n; return n; } static constexpr int compare(const C* a, const C* b, size_t n) { for (size_t i = 0; i < n; ++i) if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1; return 0; } static constexpr void assign(C& a, const C& b) noexcept { a = b; } static C* assign(C*, size_t, C) {} static constexpr bool eq(C a, C b) noexcept { return a == b; } static constexpr bool lt(C a, C b) noexcept { return a < b; } static const C* find(const C*, size_t, const C&) {} static C* move(C*, const C*, size_t) {} static C* copy(C*, const C*, size_t) {} static constexpr C to_char_type(int_type c) noexcept { return C(c); } static constexpr int_type to_int_type(C c) noexcept { return int_type(c); } static constexpr bool eq_int_type(int_type a, int_type b) noexcept { return a == b; } static constexpr int_type eof() noexcept { return -1; } static constexpr int_type not_eof(int_type c) noexcept { return c; } };
}
