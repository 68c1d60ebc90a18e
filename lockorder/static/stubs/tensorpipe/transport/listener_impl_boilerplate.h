// Parse-only stand-in for TensorPipe: tensorpipe/transport/listener_impl_boilerplate.h.
#pragma once
#include <tensorpipe/common/callback.h>
#include <tensorpipe/common/defs.h>
#include <tensorpipe/common/error_macros.h>
#include <tensorpipe/transport/error.h>
#include <tensorpipe/transport/listener.h>
namespace tensorpipe { namespace transport { template <class C, class L, class N> class ListenerImplBoilerplate : public std::enable_shared_from_this<L> { public: class ConstructorToken {}; ListenerImplBoilerplate(ConstructorToken token, std::shared_ptr<C> context, std::string id); void init(); using accept_callback_fn = Listener::accept_callback_fn; void accept(accept_callback_fn fn); std::string addr() const; void setId(std::string id); void close(); virtual ~ListenerImplBoilerplate() = default; protected: virtual void initImplFromLoop() = 0; virtual void acceptImplFromLoop(accept_callback_fn fn) = 0; virtual std::string addrImplFromLoop() const = 0; virtual void handleErrorImpl() = 0; void setError(Error error); template <class... A> std::shared_ptr<N> createAndInitConnection(A&&... args); const std::shared_ptr<C> context_; Error error_; std::string id_; }; } }
