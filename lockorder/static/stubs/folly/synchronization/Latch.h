// Parse-only stand-in for Folly: folly/synchronization/Latch.h.
#pragma once
namespace folly { class Latch { public: explicit Latch(long n); void count_down(long n = 1); bool try_wait(); void wait(); void arrive_and_wait(long n = 1); }; }
