// Parse-only stand-in for Gloo: gloo/transport/tcp/loop.h.
#pragma once
#include <sys/epoll.h>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
namespace gloo { namespace transport { namespace tcp {
class Loop;
class Handler { public: virtual ~Handler() = default; virtual void handleEvents(Loop& loop, int events) = 0; };
class Deferrables final : public Handler { public: using function_t = std::function<void()>; Deferrables(); ~Deferrables() override; void defer(function_t fn); void handleEvents(Loop& loop, int events) override; private: int rfd_, wfd_; std::mutex mutex_; std::list<function_t> functions_; bool triggered_; friend class Loop; };
class Loop final : public std::enable_shared_from_this<Loop> { public: explicit Loop(); ~Loop(); void registerDescriptor(int fd, int events, Handler* h); void registerDescriptor(int fd, int events, std::shared_ptr<Handler> h); void unregisterDescriptor(int fd, Handler* h); void defer(std::function<void()> fn); void run(); void shutdown(); private: static constexpr auto capacity_ = 64; int fd_; std::atomic<bool> done_; Deferrables deferrables_; std::unique_ptr<std::thread> loop_; std::mutex m_; std::condition_variable cv_; };
} } }
