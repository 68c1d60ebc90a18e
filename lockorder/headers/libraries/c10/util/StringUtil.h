// Parse-only stand-in for PyTorch: c10/util/StringUtil.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/string_view.h>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>
namespace c10 {
namespace detail { std::string StripBasename(const std::string& full_path); std::string ExcludeFileExtension(const std::string& full_path); }
template <class... A> std::string str(const A&... args);
template <class C> std::string Join(const std::string& delimiter, const C& v);
size_t ReplaceAll(std::string& s, c10::string_view from, c10::string_view to);
struct SourceLocation { const char* function; const char* file; uint32_t line; };
std::ostream& operator<<(std::ostream& out, const SourceLocation& loc);
bool isPrint(char s); void printQuotedString(std::ostream& stmt, c10::string_view str);
}
