// Parse-only stand-in for TensorPipe: tensorpipe/core/context.h.
#pragma once
#include <tensorpipe/channel/context.h>
#include <tensorpipe/core/listener.h>
#include <tensorpipe/core/pipe.h>
#include <tensorpipe/transport/context.h>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
namespace tensorpipe { class ContextOptions { public: ContextOptions&& name(std::string name) &&; }; class PipeOptions { public: PipeOptions&& remoteName(std::string name) &&; }; class Context final { public: explicit Context(ContextOptions opts = ContextOptions()); void registerTransport(int64_t priority, std::string transport, std::shared_ptr<transport::Context> context); void registerChannel(int64_t priority, std::string channel, std::shared_ptr<channel::Context> context); std::shared_ptr<Listener> listen(const std::vector<std::string>& urls); std::shared_ptr<Pipe> connect(const std::string& url, PipeOptions opts = PipeOptions()); void close(); void join(); ~Context(); }; }
