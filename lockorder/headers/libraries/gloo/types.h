// Parse-only stand-in for Gloo: gloo/types.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iostream>
#include "gloo/common/common.h"
namespace gloo {
const uint8_t kGatherSlotPrefix = 0x01, kAllgatherSlotPrefix = 0x02, kReduceSlotPrefix = 0x03, kAllreduceSlotPrefix = 0x04, kScatterSlotPrefix = 0x05, kBroadcastSlotPrefix = 0x06, kBarrierSlotPrefix = 0x07, kAlltoallSlotPrefix = 0x08;
class Slot { public: static Slot build(uint8_t prefix, uint32_t tag); operator uint64_t() const; Slot operator+(uint8_t i) const; };
struct float16 {
  uint16_t x;
  float16() = default; template <class T> explicit float16(T v); template <class T> float16& operator=(T v);
  bool operator==(const float16&) const; bool operator!=(const float16&) const; bool operator<(const float16&) const; bool operator>(const float16&) const; bool operator<=(const float16&) const; bool operator>=(const float16&) const; float16& operator+=(const float16&); float16& operator-=(const float16&); float16& operator*=(const float16&); float16& operator/=(const float16&);
};
float16 operator+(const float16&, const float16&); float16 operator-(const float16&, const float16&); float16 operator*(const float16&, const float16&); float16 operator/(const float16&, const float16&); std::ostream& operator<<(std::ostream&, const float16&); float16 cpu_float2half_rn(float f); float cpu_half2float(float16 h);
struct bfloat16 { uint16_t x; };
}
