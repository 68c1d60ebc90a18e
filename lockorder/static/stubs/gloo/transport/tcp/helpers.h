// Parse-only stand-in for Gloo: gloo/transport/tcp/helpers.h.
#pragma once
#include <functional>
#include <memory>
#include <sys/types.h>
#include "gloo/transport/tcp/error.h"
#include "gloo/transport/tcp/loop.h"
#include "gloo/transport/tcp/socket.h"
namespace gloo { namespace transport { namespace tcp {
template <class T, class F> void read(std::shared_ptr<Loop> loop, std::shared_ptr<Socket> socket, F fn) {} template <class T, class F> void write(std::shared_ptr<Loop> loop, std::shared_ptr<Socket> socket, T t, F fn) {} template <class... A> void connectLoop(A&&... args) {}
} } }
