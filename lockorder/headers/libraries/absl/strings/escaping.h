// Parse-only stand-in for Abseil: absl/strings/escaping.h.
#pragma once
#include "string_view.h"
namespace absl { std::string CEscape(string_view); std::string BytesToHexString(string_view); std::string HexStringToBytes(string_view); std::string Base64Escape(string_view); bool Base64Unescape(string_view, std::string*); }
