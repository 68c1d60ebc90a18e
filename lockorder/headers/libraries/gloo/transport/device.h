// Parse-only stand-in for Gloo: gloo/transport/device.h.
#pragma once
#include <memory>
#include <string>
#include "gloo/transport/pair.h"
namespace gloo { namespace transport {
class Context;
class Device { public: virtual ~Device() = 0; virtual std::string str() const = 0; virtual const std::string& getPCIBusID() const = 0; virtual int getInterfaceSpeed() const; virtual bool hasGPUDirect() const; virtual std::shared_ptr<Context> createContext(int rank, int size) = 0; };
} }
