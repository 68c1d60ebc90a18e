// Parse-only stand-in for TensorPipe: tensorpipe/transport/uv/loop.h.
#pragma once
#include <tensorpipe/common/deferred_executor.h>
#include <uv.h>
#include <atomic>
namespace tensorpipe { namespace transport { namespace uv { class Loop final : public EventLoopDeferredExecutor { public: Loop(); uv_loop_t* ptr(); bool closed(); void close(); void join(); ~Loop() noexcept; protected: void eventLoop() override; void cleanUpLoop() override; void wakeupEventLoopToDeferFunction() override; private: uv_loop_t loop_; uv_async_t async_; std::atomic<bool> closed_, joined_; static void uvAsyncCb(uv_async_t* handle); }; } } }
