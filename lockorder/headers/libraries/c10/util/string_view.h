// Parse-only stand-in for PyTorch: c10/util/string_view.h.
#pragma once
#include <c10/macros/Macros.h>
#include <string>
#if __cplusplus >= 201703L
#include <string_view>
namespace c10 { using string_view = std::string_view; template <class C> using basic_string_view = std::basic_string_view<C>; }
#else
namespace c10 {
class string_view { public: string_view(); string_view(const char*); string_view(const char*, size_t); string_view(const std::string&); explicit operator std::string() const; const char* data() const; const char* begin() const; const char* end() const; size_t size() const; size_t length() const; bool empty() const; char operator[](size_t) const; string_view substr(size_t, size_t = 0) const; size_t find(string_view, size_t = 0) const; void remove_prefix(size_t); void remove_suffix(size_t); };
bool operator==(string_view, string_view); bool operator!=(string_view, string_view);
}
#endif
namespace c10 { bool starts_with(string_view s, string_view prefix) noexcept; bool ends_with(string_view s, string_view suffix) noexcept; }
