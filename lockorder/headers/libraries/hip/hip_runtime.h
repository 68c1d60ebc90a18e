// Parse-only stand-in for HIP's hip_runtime.h: the C API, its C++ templates, and the device side.
#pragma once
#include <string.h>
#include <strings.h>
#include "hip_runtime_api.h"
#include "../vector_functions.h"
#include "../device_launch_parameters.h"
#include "../device_functions.h"
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, var) extern type var[];
#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)
#ifdef __cplusplus
template <class F, class... A> void hipLaunchKernelGGL(F f, dim3 grid, dim3 block, size_t smem, hipStream_t stream, A... args);
template <class T> hipError_t hipHostMalloc(T** ptr, size_t size, unsigned int flags = 0);
template <class T> hipError_t hipExtMallocWithFlags(T** ptr, size_t size, unsigned int flags);
template <class A, class... R> hipError_t hipModuleLaunchCooperativeKernel(A&&, R&&...);

hipError_t hipEventCreate(hipEvent_t* event, unsigned int flags);
template <class T> hipError_t hipMalloc(T** devPtr, size_t size);
template <class T> hipError_t hipMallocHost(T** ptr, size_t size, unsigned int flags = 0);
template <class T> hipError_t hipMallocManaged(T** devPtr, size_t size, unsigned int flags = hipMemAttachGlobal);
template <class T> hipError_t hipHostAlloc(T** ptr, size_t size, unsigned int flags);
template <class T> hipError_t hipHostGetDevicePointer(T** pDevice, void* pHost, unsigned int flags);
template <class T> hipError_t hipMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height);
template <class T> hipError_t hipMallocAsync(T** ptr, size_t size, hipStream_t stream);
template <class T> hipError_t hipMallocAsync(T** ptr, size_t size, hipMemPool_t memPool, hipStream_t stream);
template <class T> hipError_t hipMallocFromPoolAsync(T** ptr, size_t size, hipMemPool_t memPool, hipStream_t stream);
template <class T> hipError_t hipStreamAttachMemAsync(hipStream_t stream, T* devPtr, size_t length = 0, unsigned int flags = hipMemAttachSingle);
template <class T> hipError_t hipMemcpyToSymbol(const T& symbol, const void* src, size_t count, size_t offset = 0, hipMemcpyKind kind = hipMemcpyHostToDevice);
template <class T> hipError_t hipMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count, size_t offset = 0, hipMemcpyKind kind = hipMemcpyHostToDevice, hipStream_t stream = 0);
template <class T> hipError_t hipMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0, hipMemcpyKind kind = hipMemcpyDeviceToHost);
template <class T> hipError_t hipMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count, size_t offset = 0, hipMemcpyKind kind = hipMemcpyDeviceToHost, hipStream_t stream = 0);
template <class T> hipError_t hipGetSymbolAddress(void** devPtr, const T& symbol);
template <class T> hipError_t hipGetSymbolSize(size_t* size, const T& symbol);
template <class T> hipError_t hipLaunchKernel(T* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem = 0, hipStream_t stream = 0);
template <class... E, class... A> hipError_t hipLaunchKernelEx(const hipLaunchConfig_t* config, void (*kernel)(E...), A&&... args);
template <class T> hipError_t hipLaunchCooperativeKernel(T* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem = 0, hipStream_t stream = 0);
template <class T> hipError_t hipFuncSetCacheConfig(T* func, hipFuncCache cacheConfig);
template <class T> hipError_t hipFuncGetAttributes(hipFuncAttributes* attr, T* entry);
template <class T> hipError_t hipFuncSetAttribute(T* func, hipFuncAttribute attr, int value);
template <class T> hipError_t hipFuncGetName(const char** name, T* func);
template <class T> hipError_t hipGetFuncBySymbol(hipFunction_t* functionPtr, T* symbol);
template <class T> hipError_t hipGetKernel(hipKernel_t* kernelPtr, T* func);
template <class T> hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, T func, int blockSize, size_t dynamicSMemSize);
template <class T> hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, T func, int blockSize, size_t dynamicSMemSize, unsigned int flags);
template <class T> hipError_t hipOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T func, size_t dynamicSMemSize = 0, int blockSizeLimit = 0);
template <class F, class T> hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize, T func, F blockSizeToDynamicSMemSize, int blockSizeLimit = 0);
template <class T> hipError_t hipOccupancyMaxPotentialClusterSize(int* clusterSize, T* func, const hipLaunchConfig_t* config);
template <class T> hipError_t hipOccupancyMaxActiveClusters(int* numClusters, T* func, const hipLaunchConfig_t* config);
#endif
