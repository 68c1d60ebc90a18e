// Parse-only stand-in for Folly: folly/synchronization/Lock.h.
#pragma once
#include <mutex>
#include <shared_mutex>
namespace folly { template <class M> class upgrade_lock { public: explicit upgrade_lock(M&); ~upgrade_lock(); void unlock(); }; template <class M> class hybrid_lock { public: explicit hybrid_lock(const M&); ~hybrid_lock(); void unlock(); }; template <class M> using unique_lock = std::unique_lock<M>; }
