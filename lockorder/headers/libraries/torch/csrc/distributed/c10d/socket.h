// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/socket.h.
#pragma once
#include <torch/csrc/distributed/c10d/Backoff.hpp>
#include <torch/csrc/distributed/c10d/exception.h>
#include <c10/macros/Macros.h>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
namespace c10d { namespace detail {
class SocketOptions { public: SocketOptions& prefer_ipv6(bool value) noexcept; bool prefer_ipv6() const noexcept; SocketOptions& connect_timeout(std::chrono::milliseconds value) noexcept; std::chrono::milliseconds connect_timeout() const noexcept; SocketOptions& connect_backoff(std::shared_ptr<Backoff> value) noexcept; const std::shared_ptr<Backoff>& connect_backoff() const noexcept; };
class SocketImpl;
class Socket { public: static void initialize(); static Socket listen(std::uint16_t port, const SocketOptions& opts = {}); static Socket listenFromFd(int fd, std::uint16_t expected_port); static Socket connect(const std::string& host, std::uint16_t port, const SocketOptions& opts = {}); Socket() noexcept; Socket(const Socket& other) = delete; Socket(Socket&& other) noexcept; Socket& operator=(Socket&& other) noexcept; ~Socket(); Socket accept() const; int handle() const noexcept; std::uint16_t port() const; bool waitForInput(std::chrono::milliseconds timeout); std::string repr() const; };
} }
