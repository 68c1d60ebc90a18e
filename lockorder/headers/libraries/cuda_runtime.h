// Parse-only stand-in for CUDA's cuda_runtime.h: the C API, its C++ templates, and the device side.
#pragma once
#include <string.h>
#include <strings.h>
#include "cuda_runtime_api.h"
#include "channel_descriptor.h"
#include "driver_functions.h"
#include "vector_functions.h"
#include "device_launch_parameters.h"
#include "device_functions.h"
#ifdef __cplusplus
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags);
template <class T> cudaError_t cudaMalloc(T** devPtr, size_t size);
template <class T> cudaError_t cudaMallocHost(T** ptr, size_t size, unsigned int flags = 0);
template <class T> cudaError_t cudaMallocManaged(T** devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal);
template <class T> cudaError_t cudaHostAlloc(T** ptr, size_t size, unsigned int flags);
template <class T> cudaError_t cudaHostGetDevicePointer(T** pDevice, void* pHost, unsigned int flags);
template <class T> cudaError_t cudaMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height);
template <class T> cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaStream_t stream);
template <class T> cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream);
template <class T> cudaError_t cudaMallocFromPoolAsync(T** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream);
template <class T> cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* devPtr, size_t length = 0, unsigned int flags = cudaMemAttachSingle);
template <class T> cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T> cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0);
template <class T> cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class T> cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0);
template <class T> cudaError_t cudaGetSymbolAddress(void** devPtr, const T& symbol);
template <class T> cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol);
template <class T> cudaError_t cudaLaunchKernel(T* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem = 0, cudaStream_t stream = 0);
template <class... E, class... A> cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(E...), A&&... args);
template <class T> cudaError_t cudaLaunchCooperativeKernel(T* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem = 0, cudaStream_t stream = 0);
template <class T> cudaError_t cudaFuncSetCacheConfig(T* func, cudaFuncCache cacheConfig);
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, T* entry);
template <class T> cudaError_t cudaFuncSetAttribute(T* func, cudaFuncAttribute attr, int value);
template <class T> cudaError_t cudaFuncGetName(const char** name, T* func);
template <class T> cudaError_t cudaGetFuncBySymbol(cudaFunction_t* functionPtr, T* symbol);
template <class T> cudaError_t cudaGetKernel(cudaKernel_t* kernelPtr, T* func);
template <class T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, T func, int blockSize, size_t dynamicSMemSize);
template <class T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, T func, int blockSize, size_t dynamicSMemSize, unsigned int flags);
template <class T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T func, size_t dynamicSMemSize = 0, int blockSizeLimit = 0);
template <class F, class T> cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize, T func, F blockSizeToDynamicSMemSize, int blockSizeLimit = 0);
template <class T> cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, T* func, const cudaLaunchConfig_t* config);
template <class T> cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, T* func, const cudaLaunchConfig_t* config);
#endif
