// Parse-only stand-in for TensorPipe: tensorpipe/common/busy_polling_loop.h.
#pragma once
#include <tensorpipe/common/deferred_executor.h>
#include <atomic>
#include <thread>
namespace tensorpipe { class BusyPollingLoop : public EventLoopDeferredExecutor { protected: virtual bool pollOnce() = 0; virtual bool readyToClose() = 0; void stopBusyPolling(); void eventLoop() override; void wakeupEventLoopToDeferFunction() override; }; }
