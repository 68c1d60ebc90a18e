// Parse-only stand-in for PyTorch: c10/core/impl/DeviceGuardImplInterface.h.
#pragma once
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/Stream.h>
#include <c10/util/Exception.h>
#include <atomic>
namespace c10 {
class DataPtr;
enum class EventFlag { PYTORCH_DEFAULT, BACKEND_DEFAULT, INVALID };
namespace impl {
struct DeviceGuardImplInterface {
  DeviceGuardImplInterface() = default; virtual ~DeviceGuardImplInterface() = default;
  virtual DeviceType type() const = 0; virtual Device exchangeDevice(Device) const = 0; virtual Device getDevice() const = 0; virtual void setDevice(Device) const = 0; virtual void uncheckedSetDevice(Device) const noexcept = 0; virtual Stream getStream(Device) const noexcept = 0; virtual Stream getDefaultStream(Device) const; virtual Stream getStreamFromGlobalPool(Device, bool isHighPriority = false) const; virtual Stream getNewStream(Device, int priority = 0) const; virtual Stream exchangeStream(Stream) const noexcept = 0; virtual void destroyEvent(void* event, const DeviceIndex device_index) const noexcept; virtual void record(void** event, const Stream& stream, const DeviceIndex device_index, const c10::EventFlag flag) const; virtual void block(void* event, const Stream& stream) const; virtual bool queryEvent(void* event) const; virtual DeviceIndex deviceCount() const noexcept = 0; virtual bool queryStream(const Stream& stream) const; virtual void synchronizeStream(const Stream& stream) const; virtual void synchronizeEvent(void* event) const; virtual void synchronizeDevice(const DeviceIndex device_index) const; virtual void recordDataPtrOnStream(const c10::DataPtr&, const Stream&) const; virtual double elapsedTime(void* event1, void* event2, const DeviceIndex device_index) const;
};
class DeviceGuardImplRegistrar { public: DeviceGuardImplRegistrar(DeviceType, const DeviceGuardImplInterface*); };
const DeviceGuardImplInterface* getDeviceGuardImpl(DeviceType type); bool hasDeviceGuardImpl(DeviceType type);
}
}
#define C10_REGISTER_GUARD_IMPL(DevType, DeviceGuardImpl) static ::c10::impl::DeviceGuardImplRegistrar C10_ANONYMOUS_VARIABLE(g_##DeviceType)(::c10::DeviceType::DevType, new DeviceGuardImpl());
