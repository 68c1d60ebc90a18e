// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/TCPStoreBackend.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <thread>
namespace c10d { namespace detail {
enum class QueryType : uint8_t { VALIDATE, SET, COMPARE_SET, GET, ADD, CHECK, WAIT, GETNUMKEYS, DELETE_KEY, APPEND, MULTI_GET, MULTI_SET, CANCEL_WAIT, PING };
enum class CheckResponseType : uint8_t { READY, NOT_READY }; enum class WaitResponseType : uint8_t { STOP_WAITING, WAIT_CANCELED };
class BackgroundThread { public: explicit BackgroundThread(); virtual ~BackgroundThread() = 0; virtual std::uint16_t port() const = 0; void start(); bool stop_requested(); protected: void dispose(); virtual void run() = 0; virtual void stop() = 0; bool is_running(); private: std::atomic<bool> is_running_; std::thread daemonThread_; };
std::unique_ptr<BackgroundThread> create_tcpstore_backend(const TCPStoreOptions& opts); std::unique_ptr<BackgroundThread> create_libuv_tcpstore_backend(const TCPStoreOptions& opts); bool is_libuv_tcpstore_backend_available();
} }
