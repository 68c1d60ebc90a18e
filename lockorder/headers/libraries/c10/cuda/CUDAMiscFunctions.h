// Parse-only stand-in for PyTorch: c10/cuda/CUDAMiscFunctions.h.
#pragma once
#include <c10/cuda/CUDAMacros.h>
#include <mutex>
namespace c10 { namespace cuda { const char* get_cuda_check_suffix() noexcept; std::mutex* getFreeMutex(); } }
