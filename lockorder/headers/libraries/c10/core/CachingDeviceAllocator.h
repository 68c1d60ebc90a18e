// Parse-only stand-in for PyTorch: c10/core/CachingDeviceAllocator.h.
#pragma once
#include <c10/core/Allocator.h>
#include <c10/util/SmallVector.h>
#include <array>
namespace c10 { namespace CachingDeviceAllocator { using namespace c10::CachingAllocator; using StatArray = std::array<Stat, 3>; struct DeviceStats { StatArray allocation, segment, active, inactive_split, allocated_bytes, reserved_bytes, active_bytes, inactive_split_bytes, requested_bytes; int64_t num_alloc_retries = 0, num_ooms = 0, max_split_size = 0; }; } }
