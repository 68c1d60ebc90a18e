// Parse-only stand-in for PyTorch: c10/cuda/CUDAException.h.
#pragma once
#include <c10/cuda/CUDAMacros.h>
#include <c10/cuda/CUDAMiscFunctions.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <cuda.h>
#include <cuda_runtime.h>
namespace c10 {
class CUDAError : public c10::Error { using Error::Error; };
namespace cuda { void c10_cuda_check_implementation(const int32_t err, const char* filename, const char* function_name, const int line_number, const bool include_device_assertions); }
}
#define C10_CUDA_CHECK(EXPR) do { const cudaError_t __err = EXPR; if (C10_UNLIKELY(__err != cudaSuccess)) { ::c10::detail::torchCheckFail(__func__, __FILE__, static_cast<uint32_t>(__LINE__), cudaGetErrorString(__err)); } } while (0)
#define C10_CUDA_CHECK_WARN(EXPR) do { const cudaError_t __err = EXPR; if (C10_UNLIKELY(__err != cudaSuccess)) { (void)cudaGetLastError(); TORCH_WARN("CUDA warning: ", cudaGetErrorString(__err)); } } while (0)
#define C10_CUDA_ERROR_HANDLED(EXPR) EXPR
#define C10_CUDA_IGNORE_ERROR(EXPR) do { const cudaError_t __err = EXPR; if (C10_UNLIKELY(__err != cudaSuccess)) { (void)cudaGetLastError(); } } while (0)
#define C10_CUDA_CLEAR_ERROR() do { (void)cudaGetLastError(); } while (0)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
