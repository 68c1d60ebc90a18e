// Parse-only stand-in for Gloo: gloo/transport/tcp/socket.h.
#pragma once
#include <sys/socket.h>
#include <sys/types.h>
#include <chrono>
#include <memory>
#include "gloo/transport/tcp/address.h"
namespace gloo { namespace transport { namespace tcp {
class Socket final : public std::enable_shared_from_this<Socket> { public: static std::shared_ptr<Socket> createForFamily(sa_family_t ai_family); explicit Socket(int fd); ~Socket(); int fd() const; int release(); void reuseAddr(bool on); void noDelay(bool on); void block(bool on); void recvTimeout(std::chrono::milliseconds timeout); void sendTimeout(std::chrono::milliseconds timeout); void bind(const sockaddr_storage& ss); void bind(const struct sockaddr* addr, socklen_t addrlen); void listen(int backlog); std::shared_ptr<Socket> accept(); void connect(const sockaddr_storage& ss); void connect(const struct sockaddr* addr, socklen_t addrlen); ssize_t read(void* buf, size_t count); ssize_t write(const void* buf, size_t count); Address sockName() const; Address peerName() const; Address safePeerName() const; };
} } }
