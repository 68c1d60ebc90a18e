// Parse-only stand-in for TensorPipe: tensorpipe/common/epoll_loop.h.
#pragma once
#include <sys/epoll.h>
#include <tensorpipe/common/callback.h>
#include <tensorpipe/common/deferred_executor.h>
#include <tensorpipe/common/fd.h>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>
namespace tensorpipe { class EpollLoop final { public: class EventHandler { public: virtual ~EventHandler() = default; virtual void handleEventsFromLoop(int events) = 0; }; explicit EpollLoop(DeferredExecutor& deferredExecutor); void registerDescriptor(int fd, int events, std::shared_ptr<EventHandler> h); void unregisterDescriptor(int fd); void close(); void join(); ~EpollLoop(); static std::string formatEpollEvents(uint32_t events); private: static constexpr auto kCapacity = 64; DeferredExecutor& deferredExecutor_; void wakeup(); void loop(); bool hasRegisteredHandlers(); Fd epollFd_, eventFd_; std::atomic<bool> closed_, joined_; std::thread thread_; std::unordered_map<int, uint64_t> fdToRecord_; std::unordered_map<uint64_t, std::shared_ptr<EventHandler>> recordToHandler_; uint64_t nextRecord_; std::mutex handlersMutex_; void handleEpollEventsFromLoop(std::vector<struct epoll_event> epollEvents); }; }
