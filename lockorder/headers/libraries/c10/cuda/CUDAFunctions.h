// Parse-only stand-in for PyTorch: c10/cuda/CUDAFunctions.h.
#pragma once
#include <c10/core/Device.h>
#include <c10/core/impl/GPUTrace.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAMacros.h>
#include <c10/util/Optional.h>
#include <cuda_runtime_api.h>
namespace c10 { namespace cuda {
DeviceIndex device_count() noexcept; DeviceIndex device_count_ensure_non_zero(); DeviceIndex current_device(); void set_device(DeviceIndex device); void device_synchronize(); void warn_or_error_on_sync(); cudaError_t GetDeviceCount(int* dev_count); cudaError_t GetDevice(DeviceIndex* device); cudaError_t GetDevice(int* device); cudaError_t SetDevice(DeviceIndex device); cudaError_t MaybeSetDevice(DeviceIndex device); DeviceIndex ExchangeDevice(DeviceIndex device); DeviceIndex MaybeExchangeDevice(DeviceIndex device); void SetTargetDevice(); bool hasPrimaryContext(DeviceIndex device_index); c10::optional<DeviceIndex> getDeviceIndexWithPrimaryContext();
enum class SyncDebugMode { L_DISABLED = 0, L_WARN, L_ERROR }; class WarningState { public: void set_sync_debug_mode(SyncDebugMode l); SyncDebugMode get_sync_debug_mode(); }; WarningState& warning_state();
void memcpy_and_sync(void* dst, const void* src, int64_t nbytes, cudaMemcpyKind kind, cudaStream_t stream); void stream_synchronize(cudaStream_t stream);
} }
