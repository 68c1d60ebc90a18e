// Parse-only stand-in for TensorPipe: tensorpipe/core/listener.h.
#pragma once
#include <tensorpipe/common/error.h>
#include <tensorpipe/core/pipe.h>
#include <functional>
#include <map>
#include <memory>
#include <string>
namespace tensorpipe { class Listener final { public: using accept_callback_fn = std::function<void(const Error&, std::shared_ptr<Pipe>)>; void accept(accept_callback_fn fn); const std::map<std::string, std::string>& addresses() const; const std::string& address(const std::string& transport) const; std::string url(const std::string& transport) const; void close(); ~Listener(); }; }
