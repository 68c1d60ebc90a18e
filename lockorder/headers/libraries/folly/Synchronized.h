// Parse-only stand-in for Folly: folly/Synchronized.h.
#pragma once
#include <chrono>
#include <mutex>
#include <tuple>
#include <utility>
#include "SharedMutex.h"
namespace folly {
template <class S, class D> class LockedPtr {
 public:
  LockedPtr() {} LockedPtr(LockedPtr&&) noexcept; LockedPtr& operator=(LockedPtr&&) noexcept; ~LockedPtr();
  D* operator->() const; D& operator*() const; explicit operator bool() const; bool operator!() const; bool isNull() const; void unlock(); LockedPtr scopedUnlock(); std::unique_lock<std::mutex>& as_lock() const; std::unique_lock<std::mutex>& getUniqueLock(); LockedPtr moveFromUpgradeToWrite(); LockedPtr moveFromWriteToUpgrade(); LockedPtr moveFromWriteToRead(); LockedPtr moveFromUpgradeToRead();
};
template <class T, class Mutex = SharedMutex> class Synchronized {
 public:
  typedef T DataType; typedef T value_type; typedef Mutex MutexType; typedef folly::LockedPtr<Synchronized, T> LockedPtr; typedef folly::LockedPtr<const Synchronized, const T> ConstLockedPtr; typedef LockedPtr WLockedPtr; typedef ConstLockedPtr RLockedPtr; typedef LockedPtr UpgradeLockedPtr;
  Synchronized(); explicit Synchronized(const T&); explicit Synchronized(T&&); template <class A, class B, class... R> explicit Synchronized(A&&, B&&, R&&...); Synchronized(const Synchronized&); Synchronized(Synchronized&&); Synchronized& operator=(const Synchronized&); Synchronized& operator=(Synchronized&&); Synchronized& operator=(const T&); Synchronized& operator=(T&&);
  LockedPtr wlock(); ConstLockedPtr rlock() const; LockedPtr ulock(); LockedPtr lock(); ConstLockedPtr lock() const; LockedPtr tryWLock(); ConstLockedPtr tryRLock() const; LockedPtr tryLock(); template <class R, class P> LockedPtr wlock(const std::chrono::duration<R, P>&); template <class R, class P> ConstLockedPtr rlock(const std::chrono::duration<R, P>&) const; template <class R, class P> LockedPtr lock(const std::chrono::duration<R, P>&); LockedPtr contextualLock(); ConstLockedPtr contextualLock() const; ConstLockedPtr contextualRLock() const; LockedPtr operator->(); ConstLockedPtr operator->() const;
  template <class F> auto withWLock(F&& f) -> decltype(f(std::declval<T&>())) { auto p = wlock(); return f(*p); } template <class F> auto withRLock(F&& f) const -> decltype(f(std::declval<const T&>())) { auto p = rlock(); return f(*p); } template <class F> auto withULock(F&& f) -> decltype(f(std::declval<T&>())) { auto p = ulock(); return f(*p); } template <class F> auto withLock(F&& f) -> decltype(f(std::declval<T&>())) { auto p = lock(); return f(*p); } template <class F> auto withWLockPtr(F&& f) -> decltype(f(std::declval<LockedPtr>())) { return f(wlock()); } template <class F> auto withRLockPtr(F&& f) const -> decltype(f(std::declval<ConstLockedPtr>())) { return f(rlock()); } template <class F> auto withLockPtr(F&& f) -> decltype(f(std::declval<LockedPtr>())) { return f(lock()); } template <class F> auto withULockPtr(F&& f) -> decltype(f(std::declval<LockedPtr>())) { return f(ulock()); }
  T copy() const; void copyInto(T& target) const; T exchange(T&& rhs); void swap(Synchronized& rhs); void swap(T& rhs); T& unsafeGetUnlocked(); const T& unsafeGetUnlocked() const;
};
template <class... S> std::tuple<typename S::LockedPtr...> acquireLocked(S&... s); template <class S1, class S2> std::pair<typename S1::LockedPtr, typename S2::LockedPtr> acquireLockedPair(S1& a, S2& b); template <class F, class... S> auto synchronized(F&& f, S&&... s) -> void;
template <class T, class M> auto wlock(Synchronized<T, M>& s) -> typename Synchronized<T, M>::LockedPtr; template <class T, class M> auto rlock(const Synchronized<T, M>& s) -> typename Synchronized<T, M>::ConstLockedPtr;
}
#define SYNCHRONIZED(...) if (bool lostub_once = false) {} else for (auto lostub_lock = (__VA_ARGS__).contextualLock(); !lostub_once; lostub_once = true)
