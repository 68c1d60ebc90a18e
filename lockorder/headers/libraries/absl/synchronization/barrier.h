// Parse-only stand-in for Abseil: absl/synchronization/barrier.h.
#pragma once
namespace absl { class Barrier { public: explicit Barrier(int num_threads); bool Block(); }; }
