// Parse-only stand-in for Abseil: absl/synchronization/blocking_counter.h.
#pragma once
namespace absl { class BlockingCounter { public: explicit BlockingCounter(int initial_count); bool DecrementCount(); void Wait(); }; }
