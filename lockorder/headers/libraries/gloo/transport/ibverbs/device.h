// Parse-only stand-in for Gloo: gloo/transport/ibverbs/device.h.
#pragma once
#include <memory>
#include <string>
#include <vector>
#include "gloo/transport/device.h"
namespace gloo { namespace transport { namespace ibverbs {
struct attr { std::string name; int port, index; }; std::vector<std::string> getDeviceNames(); std::shared_ptr<::gloo::transport::Device> CreateDevice(const struct attr&);
} } }
