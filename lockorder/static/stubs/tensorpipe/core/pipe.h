// Parse-only stand-in for TensorPipe: tensorpipe/core/pipe.h.
#pragma once
#include <tensorpipe/common/error.h>
#include <tensorpipe/core/message.h>
#include <tensorpipe/transport/context.h>
#include <functional>
#include <memory>
#include <string>
namespace tensorpipe { class ContextImpl; class ListenerImpl; class PipeImpl; class Pipe final { public: using read_descriptor_callback_fn = std::function<void(const Error&, Descriptor)>; using read_callback_fn = std::function<void(const Error&)>; using write_callback_fn = std::function<void(const Error&)>; void readDescriptor(read_descriptor_callback_fn fn); void read(Allocation allocation, read_callback_fn fn); void write(Message message, write_callback_fn fn); const std::string& getRemoteName(); void close(); ~Pipe(); }; }
