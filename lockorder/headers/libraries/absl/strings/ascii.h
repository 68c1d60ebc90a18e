// Parse-only stand-in for Abseil: absl/strings/ascii.h.
#pragma once
#include "string_view.h"
namespace absl { bool ascii_isdigit(unsigned char); bool ascii_isspace(unsigned char); bool ascii_isalpha(unsigned char); char ascii_tolower(unsigned char); char ascii_toupper(unsigned char); std::string AsciiStrToLower(string_view); std::string AsciiStrToUpper(string_view); string_view StripAsciiWhitespace(string_view); string_view StripLeadingAsciiWhitespace(string_view); string_view StripTrailingAsciiWhitespace(string_view); }
