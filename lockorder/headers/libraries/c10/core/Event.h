// Parse-only stand-in for PyTorch: c10/core/Event.h.
#pragma once
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
namespace c10 { struct Event final { Event() = delete; Event(const DeviceType device_type, const EventFlag flag = EventFlag::PYTORCH_DEFAULT); Event(Event&&) noexcept; Event& operator=(Event&&) noexcept; ~Event(); Device device() const noexcept; DeviceType device_type() const noexcept; DeviceIndex device_index() const noexcept; EventFlag flag() const noexcept; bool was_marked_for_recording() const noexcept; void recordOnce(const Stream& stream); void record(const Stream& stream); void block(const Stream& stream) const; bool query() const; double elapsedTime(const Event& event) const; void* eventId() const; void synchronize() const; }; }
