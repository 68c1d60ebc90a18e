// Parse-only stand-in for Folly: folly/synchronization/Latch.h.
#pragma once
#include <chrono>
namespace folly { class Latch { public: explicit Latch(long n); void count_down(long n = 1); bool try_wait(); template <class R, class P> bool try_wait_for(const std::chrono::duration<R, P>&); template <class C, class D> bool try_wait_until(const std::chrono::time_point<C, D>&); void wait(); void arrive_and_wait(long n = 1); }; }
