// Parse-only stand-in for TensorPipe: tensorpipe/common/socket.h.
#pragma once
#include <sys/socket.h>
#include <sys/un.h>
#include <tensorpipe/common/error.h>
#include <tensorpipe/common/error_macros.h>
#include <tensorpipe/common/fd.h>
#include <chrono>
#include <tuple>
namespace tensorpipe { class Sockaddr { public: virtual const struct sockaddr* addr() const = 0; virtual socklen_t addrlen() const = 0; virtual ~Sockaddr() = default; }; class Socket final : public Fd { public: static std::tuple<Error, Socket> createForFamily(sa_family_t aiFamily); Socket() = default; explicit Socket(int fd); Error block(bool on); Error reuseAddr(bool on); Error bind(const Sockaddr& addr); Error listen(int backlog); std::tuple<Error, Socket> accept(); Error connect(const Sockaddr& addr); std::tuple<Error, struct sockaddr_storage, socklen_t> getSockName() const; template <class... F> Error sendFds(const F&... fds); template <class... F> Error recvFds(F&... fds); template <class T, class... F> Error sendPayloadAndFds(const T& a, const T& b, const F&... fds); template <class T, class... F> Error recvPayloadAndFds(T& a, T& b, F&... fds); }; }
