// Parse-only stand-in for TensorPipe: tensorpipe/channel/channel.h.
#pragma once
#include <tensorpipe/common/buffer.h>
#include <tensorpipe/common/error.h>
#include <functional>
#include <memory>
#include <string>
namespace tensorpipe { namespace channel { using TSendCallback = std::function<void(const Error&)>; using TRecvCallback = std::function<void(const Error&)>; class Channel { public: virtual void send(Buffer buffer, size_t length, TSendCallback callback) = 0; virtual void recv(Buffer buffer, size_t length, TRecvCallback callback) = 0; virtual void setId(std::string id) = 0; virtual void close() = 0; virtual ~Channel() = default; }; } }
