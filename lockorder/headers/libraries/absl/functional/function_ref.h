// Parse-only stand-in for Abseil: absl/functional/function_ref.h.
#pragma once
namespace absl { template <class S> class FunctionRef; template <class R, class... A> class FunctionRef<R(A...)> { public: template <class F> FunctionRef(const F&) {} R operator()(A...) const; }; }
