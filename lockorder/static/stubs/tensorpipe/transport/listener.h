// Parse-only stand-in for TensorPipe: tensorpipe/transport/listener.h.
#pragma once
#include <tensorpipe/common/error.h>
#include <tensorpipe/transport/connection.h>
#include <functional>
#include <memory>
#include <string>
namespace tensorpipe { namespace transport { class Listener { public: using accept_callback_fn = std::function<void(const Error& error, std::shared_ptr<Connection> connection)>; virtual void accept(accept_callback_fn fn) = 0; virtual std::string addr() const = 0; virtual void setId(std::string id) = 0; virtual void close() = 0; virtual ~Listener() = default; }; } }
