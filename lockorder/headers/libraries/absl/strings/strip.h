// Parse-only stand-in for Abseil: absl/strings/strip.h.
#pragma once
#include "string_view.h"
namespace absl { bool ConsumePrefix(string_view*, string_view); bool ConsumeSuffix(string_view*, string_view); string_view StripPrefix(string_view, string_view); string_view StripSuffix(string_view, string_view); }
