// Parse-only stand-in for Abseil: absl/strings/str_format.h.
#pragma once
#include <cstdio>
#include "string_view.h"
namespace absl { template <class... A> using FormatSpec = string_view; template <class S, class... A> std::string StrFormat(const S&, const A&...) { return std::string(); } template <class S, class... A> std::string& StrAppendFormat(std::string* d, const S&, const A&...) { return *d; } template <class S, class... A> int PrintF(const S&, const A&...) { return 0; } template <class S, class... A> int FPrintF(std::FILE*, const S&, const A&...) { return 0; } template <class S, class... A> int SNPrintF(char*, size_t, const S&, const A&...) { return 0; } template <class S> const S& FormatStreamed(const S& s) { return s; } }
