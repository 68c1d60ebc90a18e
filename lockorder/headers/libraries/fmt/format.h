// Parse-only stand-in for fmt/format.h.
#pragma once
#include <cstdio>
#include <initializer_list>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#define FMT_VERSION 110000
#define FMT_STRING(s) s
#define FMT_COMPILE(s) s
#define FMT_BEGIN_NAMESPACE namespace fmt {
#define FMT_END_NAMESPACE }
namespace fmt {
class string_view { public: string_view(); template <class S> string_view(const S&) {} string_view(const char*, size_t); const char* data() const; size_t size() const; const char* begin() const; const char* end() const; };
template <class... A> using format_string = string_view; struct runtime_format_string { string_view s; operator string_view() const; };
template <class S> string_view runtime(const S& s) { return string_view(s); }
class format_error : public std::runtime_error { public: using std::runtime_error::runtime_error; };
struct format_parse_context { const char* begin() const; const char* end() const; void advance_to(const char*); }; struct lostub_out { lostub_out& operator*(); lostub_out& operator++(); template <class T> lostub_out& operator=(const T&) { return *this; } }; struct format_context { typedef lostub_out iterator; lostub_out out(); void advance_to(lostub_out); };
template <class T, class C = char, class E = void> struct formatter { template <class P> constexpr auto parse(P& ctx) -> decltype(ctx.begin()) { return ctx.begin(); } template <class X> auto format(const T&, X& ctx) const -> decltype(ctx.out()) { return ctx.out(); } };
struct lostub_arg {}; struct format_args { template <class... A> format_args(A&&...) {} }; template <class... A> format_args make_format_args(A&&...) { return {}; }
template <class S, class... A> std::string format(S&&, A&&...) { return std::string(); } template <class S, class... A> std::string sprintf(S&&, A&&...) { return std::string(); } std::string vformat(string_view, format_args);
template <class O, class S, class... A> O format_to(O out, S&&, A&&...) { return out; } template <class O, class S, class... A> O format_to_n(O out, size_t, S&&, A&&...) { return out; } template <class S, class... A> size_t formatted_size(S&&, A&&...) { return 0; }
template <class S, class... A> void print(S&&, A&&...) {} template <class S, class... A> void println(S&&, A&&...) {} template <class S, class... A> void printf(S&&, A&&...) {} template <class... A> void vprint(A&&...) {}
template <class T> std::string to_string(const T&) { return std::string(); } template <class T> lostub_arg arg(const char*, const T&) { return {}; } template <class T> const void* ptr(T) { return nullptr; } template <class T> int underlying(T) { return 0; } template <class T> lostub_arg group_digits(T) { return {}; } template <class T> lostub_arg streamed(const T&) { return {}; }
template <class R> lostub_arg join(const R&, string_view) { return {}; } template <class I> lostub_arg join(I, I, string_view) { return {}; } template <class T> lostub_arg join(std::initializer_list<T>, string_view) { return {}; } template <class T> lostub_arg styled(const T&, int) { return {}; }
template <class T, size_t N = 500> class basic_memory_buffer { public: const T* data() const; T* data(); size_t size() const; void push_back(const T&); void clear(); template <class U> void append(const U&) {} const T* begin() const; const T* end() const; }; typedef basic_memory_buffer<char> memory_buffer;
inline namespace literals { lostub_arg operator"" _a(const char*, size_t); }
struct ostream_formatter : formatter<string_view> {}; enum class color : unsigned { red, green, blue, yellow, white }; int fg(color);
}
