// Parse-only stand-in for PyTorch: ATen/ThreadLocalState.h.
#pragma once
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <functional>
namespace at {
class ThreadLocalState { public: ThreadLocalState(); static void setThreadLocalState(const ThreadLocalState& state); void set_grad_mode(bool enabled); };
class ThreadLocalStateGuard { public: explicit ThreadLocalStateGuard(const ThreadLocalState& state); ~ThreadLocalStateGuard(); ThreadLocalStateGuard(const ThreadLocalStateGuard&) = delete; };
template <class T> auto wrapPropagateTLSState(T callback) { return [tls_state = ThreadLocalState(), callback](auto&&... args) { ThreadLocalStateGuard g(tls_state); return callback(static_cast<decltype(args)&&>(args)...); }; }
}
