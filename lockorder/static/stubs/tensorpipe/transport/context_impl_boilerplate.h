// Parse-only stand-in for TensorPipe: tensorpipe/transport/context_impl_boilerplate.h.
#pragma once
#include <tensorpipe/common/callback.h>
#include <tensorpipe/common/defs.h>
#include <tensorpipe/common/error_macros.h>
#include <tensorpipe/transport/connection.h>
#include <tensorpipe/transport/error.h>
#include <tensorpipe/transport/listener.h>
namespace tensorpipe { namespace transport { template <class C, class L, class N> class ContextImplBoilerplate : public virtual DeferredExecutor, public std::enable_shared_from_this<C> { public: explicit ContextImplBoilerplate(std::string domainDescriptor); void init(); std::shared_ptr<Connection> connect(std::string addr); std::shared_ptr<Listener> listen(std::string addr); const std::string& domainDescriptor() const; void enroll(L& listener); void enroll(N& connection); void unenroll(L& listener); void unenroll(N& connection); bool closed(); void setId(std::string id); void close(); void join(); virtual ~ContextImplBoilerplate() = default; protected: virtual void initImplFromLoop(); virtual void handleErrorImpl() = 0; virtual void joinImpl() = 0; void setError(Error error); Error error_; std::string id_; CallbackWrapper<C> callbackWrapper_; }; } }
