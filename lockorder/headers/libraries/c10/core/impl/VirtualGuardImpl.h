// Parse-only stand-in for PyTorch: c10/core/impl/VirtualGuardImpl.h.
#pragma once
#include <c10/core/impl/DeviceGuardImplInterface.h>
namespace c10 { namespace impl {
class VirtualGuardImpl final : public DeviceGuardImplInterface { public: VirtualGuardImpl(DeviceType device_type); VirtualGuardImpl(const DeviceGuardImplInterface* impl); DeviceType type() const override; Device exchangeDevice(Device d) const override; Device getDevice() const override; void setDevice(Device d) const override; void uncheckedSetDevice(Device d) const noexcept override; Stream getStream(Device d) const noexcept override; Stream exchangeStream(Stream s) const noexcept override; DeviceIndex deviceCount() const noexcept override; void synchronizeStream(const Stream& stream) const override; void synchronizeEvent(void* event) const override; void synchronizeDevice(const DeviceIndex device_index) const override; };
} }
