// Parse-only stand-in for PyTorch: ATen/cuda/PinnedMemoryAllocator.h.
#pragma once
#include <ATen/cuda/CachingHostAllocator.h>
namespace at { namespace cuda { c10::Allocator* getPinnedMemoryAllocator(); } }
