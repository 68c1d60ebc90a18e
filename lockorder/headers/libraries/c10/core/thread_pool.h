// Parse-only stand-in for PyTorch: c10/core/thread_pool.h.
#pragma once
#include <c10/macros/Export.h>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <utility>
#include <vector>
namespace c10 {
class TaskThreadPoolBase { public: virtual void run(std::function<void()> func) = 0; virtual size_t size() const = 0; virtual size_t numAvailable() const = 0; virtual bool inThreadPool() const = 0; virtual ~TaskThreadPoolBase() noexcept = default; static size_t defaultNumThreads(); };
class ThreadPool : public c10::TaskThreadPoolBase { public: ThreadPool() = delete; explicit ThreadPool(int pool_size, int numa_node_id = -1, const std::function<void()>& init_thread = nullptr); ~ThreadPool() override; size_t size() const override; size_t numAvailable() const override; bool inThreadPool() const override; void run(std::function<void()> func) override; template <class T> void runTaskWithID(T task) {} void waitWorkComplete(); };
class TaskThreadPool : public c10::ThreadPool { public: explicit TaskThreadPool(int pool_size, int numa_node_id = -1); };
}
