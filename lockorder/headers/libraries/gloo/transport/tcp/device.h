// Parse-only stand-in for Gloo: gloo/transport/tcp/device.h.
#pragma once
#include <memory>
#include <string>
#include <vector>
#include "gloo/transport/device.h"
#include "gloo/transport/tcp/attr.h"
namespace gloo { namespace transport { namespace tcp {
struct attr CreateDeviceAttr(const struct attr& src); std::shared_ptr<::gloo::transport::Device> CreateDevice(const struct attr&); std::shared_ptr<::gloo::transport::Device> CreateLazyDevice(const struct attr&);
class Device : public ::gloo::transport::Device { public: explicit Device(const struct attr& attr); virtual ~Device(); std::string str() const override; const std::string& getPCIBusID() const override; int getInterfaceSpeed() const override; std::shared_ptr<::gloo::transport::Context> createContext(int rank, int size) override; };
} } }
