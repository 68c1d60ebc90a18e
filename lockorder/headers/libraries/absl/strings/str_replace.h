// Parse-only stand-in for Abseil: absl/strings/str_replace.h.
#pragma once
#include "string_view.h"
#include <initializer_list>
#include <utility>
namespace absl { std::string StrReplaceAll(string_view, std::initializer_list<std::pair<string_view, string_view>>); int StrReplaceAll(std::initializer_list<std::pair<string_view, string_view>>, std::string*); }
