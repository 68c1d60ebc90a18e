// Parse-only stand-in for TensorPipe: tensorpipe/common/callback.h.
#pragma once
#include <tensorpipe/common/deferred_executor.h>
#include <tensorpipe/common/defs.h>
#include <tensorpipe/common/error.h>
#include <tensorpipe/common/optional.h>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>
#include <unordered_map>
namespace tensorpipe {
template <class... A> class RearmableCallback { public: using TFn = std::function<void(A...)>; void arm(TFn fn); void trigger(A... args); void triggerAll(std::function<std::tuple<A...>()> generator); };
template <class S> class CallbackWrapper { public: CallbackWrapper(std::enable_shared_from_this<S>& subject, DeferredExecutor& loop); template <class F> auto operator()(F fn) { return [fn](const Error& error, auto&&... args) mutable {}; } };
template <class S> class EagerCallbackWrapper : public CallbackWrapper<S> { public: using CallbackWrapper<S>::CallbackWrapper; }; template <class S> class LazyCallbackWrapper : public CallbackWrapper<S> { public: using CallbackWrapper<S>::CallbackWrapper; };
}
