// Parse-only stand-in for Gloo: gloo/transport/tcp/tls/device.h.
#pragma once
#include "gloo/transport/tcp/device.h"
namespace gloo { namespace transport { namespace tcp { namespace tls {
std::shared_ptr<::gloo::transport::Device> CreateDevice(const struct ::gloo::transport::tcp::attr& src, std::string pkey_file, std::string cert_file, std::string ca_file, std::string ca_path);
} } } }
