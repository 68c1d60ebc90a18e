// Parse-only stand-in for Abseil: absl/types/any.h.
#pragma once
#if __cplusplus >= 201703L
#include <any>
namespace absl { using std::any; using std::any_cast; using std::make_any; }
#endif
