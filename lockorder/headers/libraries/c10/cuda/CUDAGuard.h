// Parse-only stand-in for PyTorch: c10/cuda/CUDAGuard.h.
#pragma once
#include <c10/core/DeviceGuard.h>
#include <c10/core/DeviceType.h>
#include <c10/core/StreamGuard.h>
#include <c10/cuda/CUDAMacros.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/cuda/impl/CUDAGuardImpl.h>
#include <c10/util/Optional.h>
namespace c10 { namespace cuda {
struct CUDAGuard { explicit CUDAGuard() = delete; explicit CUDAGuard(DeviceIndex device_index); explicit CUDAGuard(Device device); ~CUDAGuard(); CUDAGuard(const CUDAGuard&) = delete; void set_device(Device device); void reset_device(Device device); void set_index(DeviceIndex device_index); Device original_device() const; Device current_device() const; };
struct OptionalCUDAGuard { explicit OptionalCUDAGuard(); explicit OptionalCUDAGuard(c10::optional<Device> device_opt); explicit OptionalCUDAGuard(c10::optional<DeviceIndex> device_index_opt); ~OptionalCUDAGuard(); void set_device(Device device); void reset_device(Device device); void set_index(DeviceIndex device_index); c10::optional<Device> original_device() const; c10::optional<Device> current_device() const; void reset(); };
struct CUDAStreamGuard { explicit CUDAStreamGuard() = delete; explicit CUDAStreamGuard(Stream stream); ~CUDAStreamGuard(); CUDAStreamGuard(const CUDAStreamGuard&) = delete; void reset_stream(Stream stream); CUDAStream original_stream() const; CUDAStream current_stream() const; Device current_device() const; Device original_device() const; };
struct OptionalCUDAStreamGuard { explicit OptionalCUDAStreamGuard(); explicit OptionalCUDAStreamGuard(Stream stream); explicit OptionalCUDAStreamGuard(c10::optional<Stream> stream_opt); ~OptionalCUDAStreamGuard(); void reset_stream(Stream stream); c10::optional<CUDAStream> original_stream() const; c10::optional<CUDAStream> current_stream() const; void reset(); };
struct CUDAMultiStreamGuard { explicit CUDAMultiStreamGuard(ArrayRef<CUDAStream> streams); ~CUDAMultiStreamGuard(); };
} }
