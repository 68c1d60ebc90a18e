// Parse-only stand-in for PyTorch: ATen/cuda/CachingHostAllocator.h.
#pragma once
#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAStream.h>
namespace at { namespace cuda { c10::Allocator* getCachingHostAllocator(); bool CachingHostAllocator_recordEvent(void* ptr, void* ctx, c10::cuda::CUDAStream stream); void CachingHostAllocator_emptyCache(); at::DataPtr HostAlloc(size_t size); } }
