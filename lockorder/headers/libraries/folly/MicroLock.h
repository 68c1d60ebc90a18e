// Parse-only stand-in for Folly: folly/MicroLock.h.
#pragma once
#include <mutex>
namespace folly { class MicroLock { public: void init(); void lock(); bool try_lock(); void unlock(); void lock(unsigned slot); void unlock(unsigned slot); }; typedef std::unique_lock<MicroLock> MicroLockGuard; }
