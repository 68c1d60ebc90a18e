// Parse-only stand-in for Abseil: absl/strings/cord.h.
#pragma once
#include "string_view.h"
namespace absl { class Cord { public: Cord(); explicit Cord(string_view); void Append(string_view); size_t size() const; bool empty() const; explicit operator std::string() const; }; }
