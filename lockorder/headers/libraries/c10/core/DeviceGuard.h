// Parse-only stand-in for PyTorch: c10/core/DeviceGuard.h.
#pragma once
#include <c10/core/Device.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Optional.h>
namespace c10 {
class DeviceGuard { public: explicit DeviceGuard() = delete; explicit DeviceGuard(Device device); explicit DeviceGuard(Device device, const impl::DeviceGuardImplInterface* impl); ~DeviceGuard(); DeviceGuard(const DeviceGuard&) = delete; void reset_device(at::Device device); void set_index(DeviceIndex index); Device original_device() const; Device current_device() const; };
class OptionalDeviceGuard { public: explicit OptionalDeviceGuard(); explicit OptionalDeviceGuard(Device device); explicit OptionalDeviceGuard(c10::optional<Device> device); ~OptionalDeviceGuard(); void reset_device(at::Device device); c10::optional<Device> original_device() const; c10::optional<Device> current_device() const; };
}
