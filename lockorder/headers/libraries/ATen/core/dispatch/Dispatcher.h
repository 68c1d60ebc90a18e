// Parse-only stand-in for PyTorch: ATen/core/dispatch/Dispatcher.h.
#pragma once
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <c10/core/DispatchKeySet.h>
#include <mutex>
#include <utility>
namespace c10 {
template <class F> class TypedOperatorHandle; template <class R, class... A> class TypedOperatorHandle<R(A...)> { public: R call(A... args) const; R redispatch(DispatchKeySet ks, A... args) const; };
class OperatorHandle { public: template <class F> TypedOperatorHandle<F> typed() const; void callBoxed(torch::jit::Stack* stack) const; void callBoxed(torch::jit::Stack& stack) const; };
class Dispatcher final { public: static Dispatcher& singleton(); static Dispatcher& realSingleton(); OperatorHandle findSchemaOrThrow(const char* name, const char* overload_name); template <class R, class... A> R call(const TypedOperatorHandle<R(A...)>& op, A... args) const; };
}
