// Parse-only stand-in for PyTorch: c10/util/ApproximateClock.h.
#pragma once
#include <c10/macros/Macros.h>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>
namespace c10 { using time_t = int64_t; using approx_time_t = decltype(time_t()); time_t getTimeSinceEpoch(); time_t getTime(bool allow_monotonic = false); approx_time_t getApproximateTime(); }
