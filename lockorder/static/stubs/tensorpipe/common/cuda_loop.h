// Parse-only stand-in for TensorPipe: tensorpipe/common/cuda_loop.h.
#pragma once
#include <cuda_runtime.h>
#include <tensorpipe/common/callback.h>
#include <tensorpipe/common/error.h>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
namespace tensorpipe { class CudaLoop { public: CudaLoop(); ~CudaLoop(); void join(); void close(); void addCallback(int device, cudaStream_t stream, std::function<void(const Error&)> callback); private: std::thread thread_; std::mutex mutex_; std::condition_variable cv_; bool closed_; uint64_t pendingOperations_; std::atomic<bool> joined_; void processCallbacks(); }; }
