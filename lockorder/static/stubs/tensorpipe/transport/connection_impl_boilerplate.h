// Parse-only stand-in for TensorPipe: tensorpipe/transport/connection_impl_boilerplate.h.
#pragma once
#include <tensorpipe/common/callback.h>
#include <tensorpipe/common/defs.h>
#include <tensorpipe/common/error_macros.h>
#include <tensorpipe/common/nop.h>
#include <tensorpipe/transport/connection.h>
#include <tensorpipe/transport/error.h>
namespace tensorpipe { namespace transport { template <class C, class L, class N> class ConnectionImplBoilerplate : public std::enable_shared_from_this<N> { public: class ConstructorToken {}; ConnectionImplBoilerplate(ConstructorToken token, std::shared_ptr<C> context, std::string id); void init(); using read_callback_fn = Connection::read_callback_fn; using read_nop_callback_fn = Connection::read_nop_callback_fn; using write_callback_fn = Connection::write_callback_fn; void read(read_callback_fn fn); void read(AbstractNopHolder& object, read_nop_callback_fn fn); void read(void* ptr, size_t length, read_callback_fn fn); void write(const void* ptr, size_t length, write_callback_fn fn); void write(const AbstractNopHolder& object, write_callback_fn fn); void setId(std::string id); void close(); virtual ~ConnectionImplBoilerplate() = default; protected: virtual void initImplFromLoop() = 0; virtual void readImplFromLoop(read_callback_fn fn) = 0; virtual void readImplFromLoop(AbstractNopHolder& object, read_nop_callback_fn fn); virtual void readImplFromLoop(void* ptr, size_t length, read_callback_fn fn) = 0; virtual void writeImplFromLoop(const void* ptr, size_t length, write_callback_fn fn) = 0; virtual void writeImplFromLoop(const AbstractNopHolder& object, write_callback_fn fn); virtual void handleErrorImpl() = 0; void setError(Error error); const std::shared_ptr<C> context_; Error error_; std::string id_; }; } }
