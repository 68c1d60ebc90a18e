// Parse-only stand-in for Folly: folly/Function.h.
#pragma once
#include <cstddef>
#include <functional>
#include <utility>
namespace folly { template <class S> class Function; template <class R, class... A> class Function<R(A...)> { public: Function(); Function(std::nullptr_t); template <class F> Function(F&&) {} R operator()(A...); explicit operator bool() const; }; template <class R, class... A> class Function<R(A...) const> : public Function<R(A...)> { public: using Function<R(A...)>::Function; R operator()(A...) const; }; template <class S> class FunctionRef; template <class R, class... A> class FunctionRef<R(A...)> { public: template <class F> FunctionRef(F&&) {} R operator()(A...) const; }; typedef Function<void()> Func; }
