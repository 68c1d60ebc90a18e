// Parse-only stand-in for Folly: folly/Executor.h.
#pragma once
#include "Function.h"
namespace folly { class Executor { public: virtual ~Executor(); virtual void add(Func) = 0; virtual void addWithPriority(Func, signed char); virtual unsigned char getNumPriorities() const; template <class E = Executor> class KeepAlive { public: KeepAlive(); KeepAlive(E*); template <class U> KeepAlive(const KeepAlive<U>&) {} E* get() const; E* operator->() const; explicit operator bool() const; void reset(); }; }; template <class E> Executor::KeepAlive<E> getKeepAliveToken(E* e); class DrivableExecutor : public virtual Executor { public: virtual void drive() = 0; }; }
