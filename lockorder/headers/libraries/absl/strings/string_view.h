// Parse-only stand-in for Abseil: absl/strings/string_view.h.
#pragma once
#include <string>
#if __cplusplus >= 201703L
#include <string_view>
namespace absl { using std::string_view; }
#else
#include <ostream>
namespace absl { class string_view { public: typedef const char* const_iterator; static constexpr size_t npos = static_cast<size_t>(-1); constexpr string_view() {} string_view(const std::string&); constexpr string_view(const char*) {} constexpr string_view(const char*, size_t) {} const char* data() const; size_t size() const; size_t length() const; bool empty() const; const char* begin() const; const char* end() const; char operator[](size_t) const; string_view substr(size_t, size_t = npos) const; size_t find(string_view, size_t = 0) const; explicit operator std::string() const; }; std::ostream& operator<<(std::ostream&, string_view); bool operator==(string_view, string_view); bool operator!=(string_view, string_view); bool operator<(string_view, string_view); }
#endif
