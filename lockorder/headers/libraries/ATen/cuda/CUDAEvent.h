// Parse-only stand-in for PyTorch: ATen/cuda/CUDAEvent.h.
#pragma once
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Exceptions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>
#include <cstdint>
#include <utility>
namespace at { namespace cuda { struct CUDAEvent { CUDAEvent() noexcept; CUDAEvent(unsigned int flags) noexcept; CUDAEvent(DeviceIndex device_index, const cudaIpcEventHandle_t* handle); ~CUDAEvent(); CUDAEvent(const CUDAEvent&) = delete; CUDAEvent(CUDAEvent&&) noexcept; CUDAEvent& operator=(CUDAEvent&&) noexcept; operator cudaEvent_t() const; c10::optional<at::Device> device() const; bool isCreated() const; DeviceIndex device_index() const; cudaEvent_t event() const; bool query() const; void record(); void recordOnce(const CUDAStream& stream); void record(const CUDAStream& stream); void block(const CUDAStream& stream); float elapsed_time(const CUDAEvent& other) const; void synchronize() const; void ipc_handle(cudaIpcEventHandle_t* handle); }; } }
