// Parse-only stand-in for <__lo/base.h>.
#pragma once
#include <stddef.h>
#define _LO_STD std
#if __cplusplus >= 201703L
#define _LO_INL inline constexpr
#define _LO_17(...) __VA_ARGS__
#else
#define _LO_INL constexpr
#define _LO_17(...)
#endif
#if __cplusplus >= 202002L
#define _LO_20(...) __VA_ARGS__
#else
#define _LO_20(...)
#endif
#define _GLIBCXX_RELEASE 12
#define __GLIBCXX__ 20220819
namespace std {
using size_t = decltype(sizeof(0)); using ptrdiff_t = __PTRDIFF_TYPE__; using nullptr_t = decltype(nullptr);
template<class T> class allocator; template<class C> struct char_traits;
template<class C, class T = char_traits<C>, class A = allocator<C>> class basic_string;
using string = basic_string<char>; using wstring = basic_string<wchar_t>; using u16string = basic_string<char16_t>; using u32string = basic_string<char32_t>;
template<class C, class T = char_traits<C>> class basic_string_view; using string_view = basic_string_view<char>;
template<class T> class reference_wrapper; template<class T> struct hash;
template<class A, class B> struct pair; template<class... T> class tuple; template<class T, size_t N> struct array;
}
