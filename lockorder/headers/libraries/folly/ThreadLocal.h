// Parse-only stand-in for Folly: folly/ThreadLocal.h.
#pragma once
namespace folly { template <class T, class Tag = void> class ThreadLocalPtr { public: T* get() const; T* operator->() const; T& operator*() const; void reset(T* = nullptr); explicit operator bool() const; T* release(); }; template <class T, class Tag = void> class ThreadLocal { public: ThreadLocal(); template <class F> explicit ThreadLocal(F&&) {} T* get() const; T* operator->() const; T& operator*() const; void reset(T* = nullptr); }; }
