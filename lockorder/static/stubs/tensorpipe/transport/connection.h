// Parse-only stand-in for TensorPipe: tensorpipe/transport/connection.h.
#pragma once
#include <tensorpipe/common/error.h>
#include <tensorpipe/common/nop.h>
#include <functional>
#include <memory>
#include <string>
namespace tensorpipe { namespace transport { class Connection { public: using read_callback_fn = std::function<void(const Error& error, const void* ptr, size_t length)>; virtual void read(read_callback_fn fn) = 0; virtual void read(void* ptr, size_t length, read_callback_fn fn) = 0; using write_callback_fn = std::function<void(const Error& error)>; virtual void write(const void* ptr, size_t length, write_callback_fn fn) = 0; using read_nop_callback_fn = std::function<void(const Error& error)>; virtual void read(AbstractNopHolder& object, read_nop_callback_fn fn) = 0; virtual void write(const AbstractNopHolder& object, write_callback_fn fn) = 0; virtual void setId(std::string id) = 0; virtual void close() = 0; virtual ~Connection() = default; }; } }
