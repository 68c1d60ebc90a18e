// Parse-only stand-in for Folly: folly/synchronization/DistributedMutex.h.
#pragma once
#include <chrono>
namespace folly { class DistributedMutex { public: class DistributedMutexStateProxy { public: explicit operator bool() const; }; constexpr DistributedMutex() {} DistributedMutexStateProxy lock(); void unlock(DistributedMutexStateProxy); DistributedMutexStateProxy try_lock(); template <class F> auto lock_combine(F f) -> decltype(f()) { return f(); } }; }
