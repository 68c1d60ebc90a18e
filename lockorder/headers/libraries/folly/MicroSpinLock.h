// Parse-only stand-in for Folly: folly/MicroSpinLock.h.
#pragma once
#include <mutex>
namespace folly { struct MicroSpinLock { unsigned char lock_; void init(); void lock() noexcept; bool try_lock() noexcept; void unlock() noexcept; }; typedef std::lock_guard<MicroSpinLock> MSLGuard; struct PicoSpinLock_ {}; }
