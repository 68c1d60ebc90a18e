// Parse-only stand-in for Folly: folly/SpinLock.h.
#pragma once
#include <mutex>
namespace folly { class SpinLock { public: void lock() const; void unlock() const; bool try_lock() const; }; template <class L> class SpinLockGuardImpl : private std::lock_guard<L> { public: explicit SpinLockGuardImpl(L& l) : std::lock_guard<L>(l) {} }; typedef SpinLockGuardImpl<SpinLock> SpinLockGuard; }
