// Parse-only stand-in for PyTorch: c10/core/Device.h.
#pragma once
#include <c10/core/DeviceType.h>
#include <c10/macros/Export.h>
#include <c10/util/Exception.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
namespace c10 {
using DeviceIndex = int8_t;
struct Device final { using Type = DeviceType; Device(DeviceType type, DeviceIndex index = -1); Device(const std::string& device_string); bool operator==(const Device&) const noexcept; bool operator!=(const Device&) const noexcept; void set_index(DeviceIndex index); DeviceType type() const noexcept; DeviceIndex index() const noexcept; bool has_index() const noexcept; bool is_cuda() const noexcept; bool is_privateuseone() const noexcept; bool is_mps() const noexcept; bool is_hip() const noexcept; bool is_xpu() const noexcept; bool is_meta() const noexcept; bool is_cpu() const noexcept; bool supports_as_strided() const noexcept; std::string str() const; };
std::ostream& operator<<(std::ostream& stream, const Device& device);
}
namespace std { template <> struct hash<c10::Device> { size_t operator()(c10::Device d) const noexcept; }; }
