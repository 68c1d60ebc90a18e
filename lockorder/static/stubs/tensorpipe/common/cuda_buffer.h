// Parse-only stand-in for TensorPipe: tensorpipe/common/cuda_buffer.h.
#pragma once
#include <cuda_runtime.h>
#include <tensorpipe/common/device.h>
namespace tensorpipe { struct CudaBuffer { void* ptr{nullptr}; cudaStream_t stream{nullptr}; Device getDevice() const; }; }
