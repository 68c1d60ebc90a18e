// Parse-only stand-in for TensorPipe: tensorpipe/transport/uv/factory.h.
#pragma once
#include <tensorpipe/common/error.h>
#include <tensorpipe/transport/context.h>
#include <memory>
#include <string>
#include <tuple>
namespace tensorpipe { namespace transport { namespace uv { std::shared_ptr<Context> create(); std::tuple<Error, std::string> lookupAddrForIface(std::string iface); std::tuple<Error, std::string> lookupAddrForHostname(); } } }
