// Parse-only stand-in for PyTorch: c10/core/Stream.h.
#pragma once
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>
#include <cstddef>
#include <cstdint>
namespace c10 {
using StreamId = int64_t;
struct StreamData3 { StreamId stream_id; DeviceIndex device_index; DeviceType device_type; };
class Stream final { public: enum Unsafe { UNSAFE }; enum Default { DEFAULT }; explicit Stream(Unsafe, Device device, StreamId id); explicit Stream(Default, Device device); bool operator==(const Stream&) const noexcept; bool operator!=(const Stream&) const noexcept; Device device() const noexcept; DeviceType device_type() const noexcept; DeviceIndex device_index() const noexcept; StreamId id() const noexcept; template <class T> void wait(const T& event) const; bool query() const; void synchronize() const; uint64_t hash() const noexcept; struct StreamData3 pack3() const; static Stream unpack3(StreamId stream_id, DeviceIndex device_index, DeviceType device_type); };
std::ostream& operator<<(std::ostream& stream, const Stream& s);
}
namespace std { template <> struct hash<c10::Stream> { size_t operator()(c10::Stream s) const noexcept; }; }
