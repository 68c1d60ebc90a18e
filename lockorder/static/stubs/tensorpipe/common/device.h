// Parse-only stand-in for TensorPipe: tensorpipe/common/device.h.
#pragma once
#include <functional>
#include <string>
#include <utility>
namespace tensorpipe { const std::string kCpuDeviceType{"cpu"}; const std::string kCudaDeviceType{"cuda"}; struct Device { std::string type; int index; Device(); Device(std::string type, int index); explicit Device(std::string s); std::string toString() const; bool operator==(const Device&) const; }; }
namespace std { template <> struct hash<::tensorpipe::Device> { size_t operator()(const ::tensorpipe::Device&) const noexcept; }; template <> struct hash<std::pair<::tensorpipe::Device, ::tensorpipe::Device>> { size_t operator()(const std::pair<::tensorpipe::Device, ::tensorpipe::Device>&) const noexcept; }; }
