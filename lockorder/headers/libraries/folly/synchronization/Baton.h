// Parse-only stand-in for Folly: folly/synchronization/Baton.h.
#pragma once
#include <chrono>
namespace folly { struct WaitOptions {}; template <bool MayBlock = true> class Baton { public: constexpr Baton() noexcept {} ~Baton() {} bool ready() const noexcept; void reset() noexcept; void post() noexcept; void wait() noexcept; void wait(const WaitOptions&) noexcept; bool try_wait() const noexcept; template <class R, class P> bool try_wait_for(const std::chrono::duration<R, P>&) noexcept; template <class C, class D> bool try_wait_until(const std::chrono::time_point<C, D>&) noexcept; template <class R, class P> bool timed_wait(const std::chrono::duration<R, P>&) noexcept; }; }
