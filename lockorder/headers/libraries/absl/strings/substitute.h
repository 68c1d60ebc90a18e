// Parse-only stand-in for Abseil: absl/strings/substitute.h.
#pragma once
#include "string_view.h"
namespace absl { template <class... A> std::string Substitute(string_view, const A&...) { return std::string(); } }
