// Parse-only stand-in for TensorPipe: tensorpipe/common/deferred_executor.h.
#pragma once
#include <tensorpipe/common/defs.h>
#include <tensorpipe/common/system.h>
#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>
namespace tensorpipe {
class DeferredExecutor { public: using TTask = std::function<void()>; virtual void deferToLoop(TTask fn) = 0; virtual bool inLoop() const = 0; template <class F> void runInLoop(F&& fn) {} virtual ~DeferredExecutor() = default; };
class OnDemandDeferredExecutor : public DeferredExecutor { public: bool inLoop() const override; void deferToLoop(TTask fn) override; };
class EventLoopDeferredExecutor : public virtual DeferredExecutor { public: void deferToLoop(TTask fn) override; bool inLoop() const override; protected: virtual void eventLoop() = 0; virtual void cleanUpLoop(); virtual void wakeupEventLoopToDeferFunction() = 0; void startThread(std::string threadName); void joinThread(); size_t runDeferredFunctionsFromEventLoop(); };
}
