// Parse-only stand-in for PyTorch: c10/core/StorageImpl.h.
#pragma once
#include <c10/core/Allocator.h>
#include <c10/core/SymInt.h>
#include <c10/util/intrusive_ptr.h>
namespace c10 { struct StorageImpl : public c10::intrusive_ptr_target { public: struct use_byte_size_t {}; StorageImpl(use_byte_size_t, SymInt size_bytes, at::DataPtr data_ptr, at::Allocator* allocator, bool resizable); StorageImpl(use_byte_size_t, const SymInt& size_bytes, at::Allocator* allocator, bool resizable); ~StorageImpl() override = default; void reset(); void release_resources() override; size_t nbytes() const; void set_nbytes(size_t); bool resizable() const; const at::DataPtr& data_ptr() const; at::DataPtr& mutable_data_ptr(); at::DataPtr set_data_ptr(at::DataPtr&&); const void* data() const; void* mutable_data(); at::DeviceType device_type() const; at::Allocator* allocator(); at::Device device() const; void set_resizable(bool); bool received_cuda(); void set_received_cuda(bool); }; }
