// Parse-only stand-in for PyTorch: ATen/cuda/CUDAGeneratorImpl.h.
#pragma once
#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <mutex>
namespace at { namespace cuda { struct PhiloxCudaState { PhiloxCudaState(); PhiloxCudaState(uint64_t seed, uint64_t offset); }; namespace detail { const Generator& getDefaultCUDAGenerator(DeviceIndex device_index = -1); Generator createCUDAGenerator(DeviceIndex device_index = -1); } } struct CUDAGeneratorImpl : public c10::GeneratorImpl { cuda::PhiloxCudaState philox_cuda_state(uint64_t increment); }; }
