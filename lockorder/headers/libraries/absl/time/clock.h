// Parse-only stand-in for Abseil: absl/time/clock.h.
#pragma once
#include "time.h"
namespace absl { Time Now(); int64_t GetCurrentTimeNanos(); void SleepFor(Duration duration); }
