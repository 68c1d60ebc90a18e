// Parse-only stand-in for Folly: folly/synchronization/SaturatingSemaphore.h.
#pragma once
#include <chrono>
namespace folly { template <bool B = true> class SaturatingSemaphore { public: bool ready() const noexcept; void reset() noexcept; void post() noexcept; void wait() noexcept; bool try_wait() noexcept; template <class R, class P> bool try_wait_for(const std::chrono::duration<R, P>&) noexcept; template <class C, class D> bool try_wait_until(const std::chrono::time_point<C, D>&) noexcept; }; }
