// Parse-only stand-in for Folly: folly/synchronization/SaturatingSemaphore.h.
#pragma once
namespace folly { template <bool B = true> class SaturatingSemaphore { public: bool ready() const noexcept; void reset() noexcept; void post() noexcept; void wait() noexcept; bool try_wait() noexcept; }; }
