// Parse-only stand-in for Folly: folly/synchronization/Lock.h.
#pragma once
#include <mutex>
#include <shared_mutex>
namespace folly { template <class M> class upgrade_lock { public: explicit upgrade_lock(M&); upgrade_lock(M&, std::defer_lock_t); upgrade_lock(M&, std::try_to_lock_t); upgrade_lock(M&, std::adopt_lock_t); upgrade_lock(upgrade_lock&&) noexcept; ~upgrade_lock(); void lock(); bool try_lock(); void unlock(); M* release(); bool owns_lock() const; explicit operator bool() const; }; template <class M> class hybrid_lock { public: explicit hybrid_lock(const M&); ~hybrid_lock(); void unlock(); bool owns_lock() const; explicit operator bool() const; }; template <class M> using unique_lock = std::unique_lock<M>; }
