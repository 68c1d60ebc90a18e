// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/GlooDeviceFactory.hpp.
#pragma once
#include <gloo/transport/device.h>
#include <memory>
#include <string>
namespace c10d { class GlooDeviceFactory { public: static std::shared_ptr<::gloo::transport::Device> makeDeviceForInterface(const std::string& interface); static std::shared_ptr<::gloo::transport::Device> makeDeviceForHostname(const std::string& hostname); static std::shared_ptr<::gloo::transport::Device> makeDefaultDevice(); }; }
