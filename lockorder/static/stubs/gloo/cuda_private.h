// Parse-only stand-in for Gloo: gloo/cuda_private.h.
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <memory>
#include <vector>
#include "gloo/common/logging.h"
#include "gloo/config.h"
#include "gloo/cuda.h"
#include "gloo/transport/device.h"
namespace gloo {
#define CUDA_CHECK(condition) do { cudaError_t error = condition; GLOO_ENFORCE_EQ(error, cudaSuccess, "CUDA error: ", cudaGetErrorString(error)); } while (0)
int getCurrentGPUID(); int getGPUIDForPointer(const void* ptr); int getDeviceCount(); const std::string& getCudaPCIBusID(int device); template <class T> int findCudaDevicePointerClosestToDevice(std::vector<CudaDevicePointer<T>>& ptrs, std::shared_ptr<transport::Device>& dev);
class CudaDeviceGuard { public: CudaDeviceGuard(); ~CudaDeviceGuard() noexcept(false); }; class CudaDeviceScope { public: CudaDeviceScope(int device); ~CudaDeviceScope() noexcept(false); };
template <class T> class BuilderHelpers { public: static bool checkAllPointersOnDevices(const std::vector<T*>& ptrs); };
}
