// Parse-only stand-in for Gloo: gloo/transport/uv/device.h.
#pragma once
#include <memory>
#include <string>
#include <sys/socket.h>
#include "gloo/transport/device.h"
namespace gloo { namespace transport { namespace uv {
struct attr { attr(); attr(const char* ptr); std::string hostname, iface; int ai_family, ai_socktype, ai_protocol; struct sockaddr_storage ai_addr; int ai_addrlen; };
std::shared_ptr<::gloo::transport::Device> CreateDevice(struct attr);
class Device : public ::gloo::transport::Device { public: explicit Device(const struct attr& attr); virtual ~Device(); std::string str() const override; const std::string& getPCIBusID() const override; std::shared_ptr<::gloo::transport::Context> createContext(int rank, int size) override; };
} } }
