// Parse-only stand-in for PyTorch: c10/cuda/CUDAGraphsC10Utils.h.
#pragma once
#include <c10/cuda/CUDAStream.h>
#include <utility>
namespace c10 { namespace cuda {
using CaptureId_t = unsigned long long; using MempoolId_t = std::pair<CaptureId_t, CaptureId_t>;
struct CUDAStreamCaptureModeGuard { CUDAStreamCaptureModeGuard(cudaStreamCaptureMode desired); ~CUDAStreamCaptureModeGuard(); };
enum class CaptureStatus : int { None, Active, Invalidated }; CaptureStatus currentStreamCaptureStatusMayInitCtx();
} }
