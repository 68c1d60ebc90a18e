// Parse-only stand-in for TensorPipe: tensorpipe/common/cuda.h.
#pragma once
#include <cuda_runtime.h>
#include <tensorpipe/common/defs.h>
#include <tensorpipe/common/error.h>
#include <string>
#define TP_CUDA_CHECK(a) do { cudaError_t lostub_error = (a); TP_THROW_ASSERT_IF(lostub_error != cudaSuccess) << cudaGetErrorName(lostub_error); } while (false)
namespace tensorpipe { class CudaError final : public BaseError { public: explicit CudaError(cudaError_t error); std::string what() const override; }; class CudaDeviceGuard { public: CudaDeviceGuard() = delete; explicit CudaDeviceGuard(int device); ~CudaDeviceGuard(); }; class CudaEvent { public: explicit CudaEvent(int device, bool interprocess = false); ~CudaEvent(); void record(cudaStream_t stream); void wait(cudaStream_t stream, int device); bool query() const; }; }
