// Parse-only stand-in for Abseil: absl/strings/match.h.
#pragma once
#include "string_view.h"
namespace absl { bool StrContains(string_view, string_view); bool StrContains(string_view, char); bool StartsWith(string_view, string_view); bool EndsWith(string_view, string_view); bool EqualsIgnoreCase(string_view, string_view); bool StartsWithIgnoreCase(string_view, string_view); }
