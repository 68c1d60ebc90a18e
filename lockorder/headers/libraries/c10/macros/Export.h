// Parse-only stand-in for PyTorch: c10/macros/Export.h.
#pragma once
#define C10_EXPORT
#define C10_IMPORT
#define C10_HIDDEN
#define C10_API
#define C10_API_ENUM
#define TORCH_API
#define TORCH_CUDA_API
#define TORCH_CUDA_CPP_API
#define TORCH_CUDA_CU_API
#define TORCH_HIP_API
#define TORCH_HIP_CPP_API
#define TORCH_XPU_API
#define CAFFE2_API
