// Parse-only stand-in for PyTorch: ATen/cuda/CUDAContextLight.h.
#pragma once
#include <c10/cuda/CUDAStream.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusparse.h>
namespace c10 { struct Allocator; }
namespace at { namespace cuda {
int64_t getNumGPUs(); bool is_available(); cudaDeviceProp* getCurrentDeviceProperties(); int warp_size(); cudaDeviceProp* getDeviceProperties(c10::DeviceIndex device); bool canDeviceAccessPeer(c10::DeviceIndex device, c10::DeviceIndex peer_device); c10::Allocator* getCUDADeviceAllocator(); cusparseHandle_t getCurrentCUDASparseHandle(); cublasHandle_t getCurrentCUDABlasHandle(); void clearCublasWorkspaces();
} }
