// Parse-only stand-in for Abseil: absl/types/variant.h.
#pragma once
#if __cplusplus >= 201703L
#include <variant>
namespace absl { using std::variant; using std::get; using std::get_if; using std::holds_alternative; using std::monostate; using std::visit; }
#endif
