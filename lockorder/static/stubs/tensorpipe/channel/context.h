// Parse-only stand-in for TensorPipe: tensorpipe/channel/context.h.
#pragma once
#include <tensorpipe/common/device.h>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
namespace tensorpipe { namespace transport { class Connection; } namespace channel { enum class Endpoint : bool { kConnect, kListen }; class Channel; class Context { public: virtual bool isViable() const = 0; virtual size_t numConnectionsNeeded() const = 0; virtual const std::unordered_map<Device, std::string>& deviceDescriptors() const = 0; virtual bool canCommunicateWithRemote(const std::string& localDeviceDescriptor, const std::string& remoteDeviceDescriptor) const = 0; virtual std::shared_ptr<Channel> createChannel(std::vector<std::shared_ptr<transport::Connection>> connections, Endpoint endpoint) = 0; virtual void setId(std::string id) = 0; virtual void close() = 0; virtual void join() = 0; virtual ~Context() = default; }; } }
