// Parse-only stand-in for TensorPipe: tensorpipe/transport/context.h.
#pragma once
#include <memory>
#include <string>
namespace tensorpipe { namespace transport { class Connection; class Listener; class Context { public: virtual std::shared_ptr<Connection> connect(std::string addr) = 0; virtual std::shared_ptr<Listener> listen(std::string addr) = 0; virtual bool isViable() const = 0; virtual const std::string& domainDescriptor() const = 0; virtual bool canCommunicateWithRemote(const std::string& remoteDomainDescriptor) const; virtual void setId(std::string id) = 0; virtual void close() = 0; virtual void join() = 0; virtual ~Context() = default; }; } }
