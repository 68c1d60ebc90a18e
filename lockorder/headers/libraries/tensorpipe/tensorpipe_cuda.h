// Parse-only stand-in for tensorpipe/tensorpipe_cuda.h.
#pragma once
#include "tensorpipe.h"
#include "../cuda_runtime.h"
namespace tensorpipe {
struct CudaBuffer { void* ptr{nullptr}; cudaStream_t stream{nullptr}; Device getDevice() const; };
namespace channel { namespace cuda_basic { std::shared_ptr<Context> create(std::shared_ptr<Context> cpuContext); } namespace cuda_ipc { std::shared_ptr<Context> create(); } namespace cuda_xth { std::shared_ptr<Context> create(); } namespace cuda_gdr { std::shared_ptr<Context> create(); } }
}
