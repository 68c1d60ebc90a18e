// Parse-only stand-in for Folly: folly/SharedMutex.h.
#pragma once
#include <chrono>
#include <mutex>
#include <shared_mutex>
namespace folly {
template <bool ReaderPriority> class SharedMutexImpl {
 public:
  constexpr SharedMutexImpl() noexcept {} ~SharedMutexImpl() {} SharedMutexImpl(const SharedMutexImpl&) = delete;
  void lock(); bool try_lock(); template <class R, class P> bool try_lock_for(const std::chrono::duration<R, P>&); template <class C, class D> bool try_lock_until(const std::chrono::time_point<C, D>&); void unlock(); void lock_shared(); bool try_lock_shared(); template <class R, class P> bool try_lock_shared_for(const std::chrono::duration<R, P>&); template <class C, class D> bool try_lock_shared_until(const std::chrono::time_point<C, D>&); template <class R, class P> bool try_lock_upgrade_for(const std::chrono::duration<R, P>&); template <class C, class D> bool try_lock_upgrade_until(const std::chrono::time_point<C, D>&); void unlock_shared(); void lock_upgrade(); bool try_lock_upgrade(); void unlock_upgrade(); void unlock_upgrade_and_lock(); void unlock_upgrade_and_lock_shared(); void unlock_and_lock_upgrade(); void unlock_and_lock_shared(); bool has_lock() const; bool has_exclusive_lock() const; bool has_shared_lock() const; bool has_upgrade_lock() const;
  class ReadHolder { public: ReadHolder(); explicit ReadHolder(SharedMutexImpl* m); explicit ReadHolder(SharedMutexImpl& m); explicit ReadHolder(const SharedMutexImpl& m); ReadHolder(ReadHolder&&) noexcept; ~ReadHolder(); void unlock(); };
  class UpgradeHolder { public: UpgradeHolder(); explicit UpgradeHolder(SharedMutexImpl* m); explicit UpgradeHolder(SharedMutexImpl& m); UpgradeHolder(UpgradeHolder&&) noexcept; ~UpgradeHolder(); void unlock(); };
  class WriteHolder { public: WriteHolder(); explicit WriteHolder(SharedMutexImpl* m); explicit WriteHolder(SharedMutexImpl& m); WriteHolder(WriteHolder&&) noexcept; ~WriteHolder(); void unlock(); };
};
typedef SharedMutexImpl<true> SharedMutexReadPriority; typedef SharedMutexImpl<false> SharedMutexWritePriority; typedef SharedMutexWritePriority SharedMutex; typedef SharedMutexReadPriority SharedMutexSuppressTSAN;
}
