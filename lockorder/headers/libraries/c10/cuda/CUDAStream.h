// Parse-only stand-in for PyTorch: c10/cuda/CUDAStream.h.
#pragma once
#include <c10/core/Stream.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>
namespace c10 { namespace cuda {
class CUDAStream { public: enum Unchecked { UNCHECKED }; explicit CUDAStream(Stream stream); explicit CUDAStream(Unchecked, Stream stream); bool operator==(const CUDAStream&) const noexcept; bool operator!=(const CUDAStream&) const noexcept; operator cudaStream_t() const; operator Stream() const; DeviceType device_type() const; DeviceIndex device_index() const; Device device() const; StreamId id() const; bool query() const; void synchronize() const; int priority() const; cudaStream_t stream() const; Stream unwrap() const; struct c10::StreamData3 pack3() const; static CUDAStream unpack3(StreamId stream_id, DeviceIndex device_index, DeviceType device_type); };
CUDAStream getStreamFromPool(const bool isHighPriority = false, DeviceIndex device = -1); CUDAStream getStreamFromPool(const int priority, DeviceIndex device = -1); CUDAStream getStreamFromExternal(cudaStream_t ext_stream, DeviceIndex device_index); CUDAStream getDefaultCUDAStream(DeviceIndex device_index = -1); CUDAStream getCurrentCUDAStream(DeviceIndex device_index = -1); void setCurrentCUDAStream(CUDAStream stream); std::ostream& operator<<(std::ostream& stream, const CUDAStream& s);
} }
namespace std { template <> struct hash<c10::cuda::CUDAStream> { size_t operator()(c10::cuda::CUDAStream s) const noexcept; }; }
