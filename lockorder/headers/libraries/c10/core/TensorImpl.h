// Parse-only stand-in for PyTorch: c10/core/TensorImpl.h.
#pragma once
#include <c10/core/DispatchKeySet.h>
#include <c10/core/Storage.h>
#include <c10/core/SymInt.h>
#include <c10/core/TensorOptions.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Optional.h>
#include <c10/util/intrusive_ptr.h>
#include <atomic>
#include <memory>
namespace c10 {
struct VariableVersion { uint32_t current_version() const noexcept; void bump(); bool unique() const; };
struct AutogradMetaInterface { virtual ~AutogradMetaInterface(); };
struct TensorImpl : public c10::intrusive_ptr_target { TensorImpl() = delete; ~TensorImpl() override; TensorImpl(Storage&& storage, DispatchKeySet, const caffe2::TypeMeta data_type); void release_resources() override; DispatchKeySet key_set() const; IntArrayRef sizes() const; IntArrayRef strides() const; int64_t dim() const; int64_t numel() const; bool is_contiguous() const; const Storage& storage() const; int64_t storage_offset() const; Device device() const; Layout layout() const; const caffe2::TypeMeta dtype() const; size_t itemsize() const; void* mutable_data(); const void* data() const; bool is_cpu() const; bool is_cuda() const; bool is_sparse() const; bool requires_grad() const; const VariableVersion& version_counter() const noexcept; void bump_version(); void set_storage_offset(int64_t); void set_sizes_and_strides(IntArrayRef, IntArrayRef); virtual c10::intrusive_ptr<TensorImpl> shallow_copy_and_detach(const VariableVersion& version_counter, bool allow_tensor_metadata_change) const; };
struct UndefinedTensorImpl final : public TensorImpl { static TensorImpl* singleton(); };
}
