// Parse-only stand-in for PyTorch: c10/util/FunctionRef.h.
#pragma once
#include <utility>
namespace c10 { template <class F> class function_ref; template <class R, class... P> class function_ref<R(P...)> { public: function_ref() = default; template <class C> function_ref(C&& c) {} R operator()(P... p) const; explicit operator bool() const; }; }
