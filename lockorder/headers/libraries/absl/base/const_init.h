// Parse-only stand-in for Abseil: absl/base/const_init.h.
#pragma once
namespace absl { enum ConstInitType { kConstInit }; }
