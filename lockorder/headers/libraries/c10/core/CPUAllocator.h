// Parse-only stand-in for PyTorch: c10/core/CPUAllocator.h.
#pragma once
#include <c10/core/Allocator.h>
#include <cstring>
#include <mutex>
#include <unordered_map>
namespace c10 { c10::Allocator* GetCPUAllocator(); void SetCPUAllocator(c10::Allocator* alloc, uint8_t priority = 0); c10::Allocator* GetDefaultCPUAllocator(); }
