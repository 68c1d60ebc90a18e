// Parse-only stand-in for Folly: folly/synchronization/LifoSem.h.
#pragma once
#include <chrono>
namespace folly { class LifoSem { public: explicit LifoSem(unsigned v = 0); bool post(); void post(unsigned n); bool tryWait(); bool try_wait(); void wait(); template <class R, class P> bool try_wait_for(const std::chrono::duration<R, P>&); template <class C, class D> bool try_wait_until(const std::chrono::time_point<C, D>&); void shutdown(); bool isShutdown() const; }; class ShutdownSemError {}; }
