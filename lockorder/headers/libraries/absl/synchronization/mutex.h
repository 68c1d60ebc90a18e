// Parse-only stand-in for Abseil: absl/synchronization/mutex.h.
#pragma once
#include <cstdint>
#include "../base/const_init.h"
#include "../base/thread_annotations.h"
#include "../time/time.h"
namespace absl {
class Condition; struct SynchWaitParams;
class Mutex {
 public:
  constexpr Mutex() {} explicit constexpr Mutex(ConstInitType) {} ~Mutex() {} Mutex(const Mutex&) = delete; Mutex& operator=(const Mutex&) = delete;
  void Lock(); void Unlock(); bool TryLock(); void lock(); void unlock(); bool try_lock(); void AssertHeld() const; void ReaderLock(); void ReaderUnlock(); bool ReaderTryLock(); void lock_shared(); void unlock_shared(); bool try_lock_shared(); void AssertReaderHeld() const; void WriterLock(); void WriterUnlock(); bool WriterTryLock(); void AssertNotHeld() const;
  void Await(const Condition& cond); void LockWhen(const Condition& cond); void ReaderLockWhen(const Condition& cond); void WriterLockWhen(const Condition& cond); bool AwaitWithTimeout(const Condition& cond, Duration timeout); bool AwaitWithDeadline(const Condition& cond, Time deadline); bool LockWhenWithTimeout(const Condition& cond, Duration timeout); bool LockWhenWithDeadline(const Condition& cond, Time deadline); bool ReaderLockWhenWithTimeout(const Condition& cond, Duration timeout); bool WriterLockWhenWithTimeout(const Condition& cond, Duration timeout); bool ReaderLockWhenWithDeadline(const Condition& cond, Time deadline); bool WriterLockWhenWithDeadline(const Condition& cond, Time deadline); void EnableInvariantDebugging(void (*invariant)(void*), void* arg); void EnableDebugLog(const char* name); void ForgetDeadlockInfo();
};
class MutexLock { public: explicit MutexLock(Mutex* mu); explicit MutexLock(Mutex& mu); explicit MutexLock(Mutex* mu, const Condition& cond); explicit MutexLock(Mutex& mu, const Condition& cond); ~MutexLock(); MutexLock(const MutexLock&) = delete; };
class ReaderMutexLock { public: explicit ReaderMutexLock(Mutex* mu); explicit ReaderMutexLock(Mutex& mu); explicit ReaderMutexLock(Mutex* mu, const Condition& cond); ~ReaderMutexLock(); ReaderMutexLock(const ReaderMutexLock&) = delete; };
class WriterMutexLock { public: explicit WriterMutexLock(Mutex* mu); explicit WriterMutexLock(Mutex& mu); explicit WriterMutexLock(Mutex* mu, const Condition& cond); ~WriterMutexLock(); WriterMutexLock(const WriterMutexLock&) = delete; };
class MutexLockMaybe { public: explicit MutexLockMaybe(Mutex* mu); explicit MutexLockMaybe(Mutex* mu, const Condition& cond); ~MutexLockMaybe(); };
class ReleasableMutexLock { public: explicit ReleasableMutexLock(Mutex* mu); explicit ReleasableMutexLock(Mutex& mu); explicit ReleasableMutexLock(Mutex* mu, const Condition& cond); ~ReleasableMutexLock(); void Release(); };
class Condition { public: Condition(bool (*func)(void*), void* arg); template <class T> Condition(bool (*func)(T*), T* arg) {} template <class T> Condition(T* object, bool (T::*method)()) {} template <class T> Condition(const T* object, bool (T::*method)() const) {} explicit Condition(const bool* cond); template <class T> explicit Condition(const T* obj) {} bool Eval() const; static const Condition kTrue; };
class CondVar { public: CondVar(); void Wait(Mutex* mu); bool WaitWithTimeout(Mutex* mu, Duration timeout); bool WaitWithDeadline(Mutex* mu, Time deadline); void Signal(); void SignalAll(); void EnableDebugLog(const char* name); };
enum class OnDeadlockCycle { kIgnore, kReport, kAbort }; void SetMutexDeadlockDetectionMode(OnDeadlockCycle mode);
}
