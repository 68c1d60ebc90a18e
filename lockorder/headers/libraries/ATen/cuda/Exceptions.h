// Parse-only stand-in for PyTorch: ATen/cuda/Exceptions.h.
#pragma once
#include <c10/cuda/CUDAException.h>
#include <c10/util/Exception.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <nvrtc.h>
#define AT_CUDA_CHECK(EXPR) C10_CUDA_CHECK(EXPR)
#define AT_CUDA_DRIVER_CHECK(EXPR) do { CUresult __err = EXPR; TORCH_CHECK(__err == CUDA_SUCCESS, "CUDA driver error") } while (0)
#define AT_CUDA_NVRTC_CHECK(EXPR) do { nvrtcResult __err = EXPR; TORCH_CHECK(__err == NVRTC_SUCCESS, "NVRTC error") } while (0)
#define TORCH_CUDABLAS_CHECK(EXPR) do { cublasStatus_t __err = EXPR; TORCH_CHECK(__err == CUBLAS_STATUS_SUCCESS, "CUDA error") } while (0)
#define TORCH_CUDASPARSE_CHECK(EXPR) do { auto __err = EXPR; TORCH_CHECK(!__err, "CUDA error") } while (0)
#define TORCH_CUSOLVER_CHECK(EXPR) do { auto __err = EXPR; TORCH_CHECK(!__err, "cusolver error") } while (0)
#define AT_CUDNN_CHECK(EXPR, ...) do { auto __err = EXPR; TORCH_CHECK(!static_cast<int>(__err), "cuDNN error") } while (0)
