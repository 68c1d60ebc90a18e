// Parse-only stand-in for PyTorch: ATen/Context.h.
#pragma once
#include <ATen/core/Generator.h>
#include <c10/core/Allocator.h>
#include <c10/core/DeviceType.h>
#include <c10/util/CallOnce.h>
#include <memory>
#include <mutex>
#include <string>
namespace at {
class Context { public: Context(); const Generator& defaultGenerator(Device device); bool hasCUDA() const; static bool hasHIP(); static bool hasMPS(); static bool hasXLA(); static bool hasMKL(); void lazyInitDevice(c10::DeviceType type); void lazyInitCUDA(); void lazyInitHIP(); bool userEnabledCuDNN() const; bool deterministicAlgorithms() const; bool allowTF32CuBLAS() const; Allocator* getPinnedMemoryAllocator(); size_t getNumGPUs(); };
Context& globalContext(); void init(); Allocator* getCPUAllocator(); bool hasCUDA(); bool hasHIP(); bool hasMPS(); bool hasXLA(); bool hasMKL(); bool hasOpenMP(); size_t getNumGPUs(); void manual_seed(uint64_t seed); struct NoTF32Guard { NoTF32Guard(); ~NoTF32Guard(); };
}
