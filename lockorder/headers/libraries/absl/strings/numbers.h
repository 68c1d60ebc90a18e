// Parse-only stand-in for Abseil: absl/strings/numbers.h.
#pragma once
#include "string_view.h"
namespace absl { template <class T> bool SimpleAtoi(string_view, T*); bool SimpleAtof(string_view, float*); bool SimpleAtod(string_view, double*); bool SimpleAtob(string_view, bool*); }
