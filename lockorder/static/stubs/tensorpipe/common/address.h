// Parse-only stand-in for TensorPipe: tensorpipe/common/address.h.
#pragma once
#include <string>
#include <tuple>
namespace tensorpipe { std::tuple<std::string, std::string> splitSchemeOfURL(const std::string& url); }
