// Parse-only stand-in for PyTorch: c10/core/Storage.h.
#pragma once
#include <c10/core/Allocator.h>
#include <c10/core/StorageImpl.h>
#include <c10/core/SymInt.h>
#include <c10/util/intrusive_ptr.h>
namespace c10 { struct Storage { struct use_byte_size_t {}; Storage(); Storage(c10::intrusive_ptr<StorageImpl> ptr); Storage(use_byte_size_t, size_t size_bytes, Allocator* allocator = nullptr, bool resizable = false); Storage(use_byte_size_t, size_t size_bytes, at::DataPtr data_ptr, at::Allocator* allocator = nullptr, bool resizable = false); size_t nbytes() const; void set_nbytes(size_t) const; bool resizable() const; const void* data() const; void* mutable_data() const; at::DataPtr& mutable_data_ptr() const; const at::DataPtr& data_ptr() const; at::DataPtr set_data_ptr(at::DataPtr&&) const; DeviceType device_type() const; at::Allocator* allocator() const; at::Device device() const; StorageImpl* unsafeReleaseStorageImpl(); StorageImpl* unsafeGetStorageImpl() const noexcept; operator bool() const; size_t use_count() const; bool unique() const; bool is_alias_of(const Storage&) const; }; }
