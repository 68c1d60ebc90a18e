// Parse-only stand-in for Gloo: gloo/cuda.h.
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>
#include "gloo/algorithm.h"
#include "gloo/common/logging.h"
#include "gloo/config.h"
namespace gloo {
extern const cudaStream_t kStreamNotSet; extern const int kInvalidDeviceId;
class CudaShared { public: static void setMutex(std::mutex* m); static std::mutex& getMutex(); };
template <class T> class CudaDevicePointer; template <class T> class CudaHostPointer;
class CudaStream { public: explicit CudaStream(int deviceId, cudaStream_t stream = kStreamNotSet); ~CudaStream() noexcept(false); cudaStream_t operator*() const; int getDeviceID() const; cudaStream_t getStream() const; template <class T> void copyAsync(T& dst, T& src); void record(); void wait(); };
template <class T> class CudaDevicePointer { public: static CudaDevicePointer create(T* ptr, size_t count); static CudaDevicePointer alloc(size_t count); T* operator*() const; T& operator[](size_t) const; int getDeviceID() const; size_t getCount() const; CudaDevicePointer range(size_t offset, size_t count) const; };
template <class T> class CudaHostPointer { public: static CudaHostPointer alloc(size_t count); T* operator*() const; T& operator[](size_t) const; size_t getCount() const; CudaHostPointer range(size_t offset, size_t count) const; };
}
