// Parse-only stand-in for PyTorch: ATen/core/symbol.h.
#pragma once
#include <cstdint>
#include <string>
namespace c10 { struct Symbol { Symbol(); static Symbol fromQualString(const std::string& s); static Symbol attr(const std::string& s); static Symbol user(const std::string& s); const char* toQualString() const; const char* toUnqualString() const; const char* toDisplayString() const; bool operator==(const Symbol&) const; operator uint32_t() const; }; }
