// Parse-only stand-in for PyTorch: ATen/core/TensorBase.h.
#pragma once
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/core/Storage.h>
#include <c10/core/SymInt.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/TensorOptions.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/Optional.h>
#include <c10/util/intrusive_ptr.h>
#include <functional>
#include <string>
namespace at {
class Tensor; class TensorBase;
bool isTensorSubclassLike(const Tensor& tensor);
class TensorBase {
 public:
  TensorBase() = default; explicit TensorBase(c10::intrusive_ptr<TensorImpl> tensor_impl); TensorBase(const TensorBase&) = default; TensorBase(TensorBase&&) noexcept = default; TensorBase& operator=(const TensorBase&) & = default; TensorBase& operator=(TensorBase&&) & noexcept = default;
  int64_t dim() const; int64_t storage_offset() const; TensorBase contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const; bool is_complex() const; bool is_floating_point() const; int64_t size(int64_t dim) const; int64_t stride(int64_t dim) const; SymInt sym_size(int64_t dim) const; TensorImpl* unsafeGetTensorImpl() const; TensorImpl* unsafeReleaseTensorImpl(); const c10::intrusive_ptr<TensorImpl>& getIntrusivePtr() const; bool defined() const; void reset(); bool is_same(const TensorBase& other) const noexcept; size_t use_count() const noexcept; size_t weak_use_count() const noexcept; std::string toString() const; IntArrayRef sizes() const; SymIntArrayRef sym_sizes() const; IntArrayRef strides() const; int64_t ndimension() const; bool is_contiguous(at::MemoryFormat memory_format = at::MemoryFormat::Contiguous) const; bool is_non_overlapping_and_dense() const; at::MemoryFormat suggest_memory_format(bool exact = false) const; size_t nbytes() const; int64_t numel() const; SymInt sym_numel() const; size_t itemsize() const; int64_t element_size() const; DispatchKeySet key_set() const; ScalarType scalar_type() const; bool has_storage() const; const Storage& storage() const; bool is_alias_of(const at::TensorBase& other) const; Layout layout() const; caffe2::TypeMeta dtype() const; Device device() const; int64_t get_device() const; bool is_cpu() const; bool is_cuda() const; bool is_hip() const; bool is_xpu() const; bool is_sparse() const; bool is_sparse_csr() const; bool is_mkldnn() const; bool is_quantized() const; bool is_meta() const; bool is_nested() const; bool is_pinned() const; TensorOptions options() const; void* data_ptr() const; void* mutable_data_ptr() const; const void* const_data_ptr() const; template <class T> T* data_ptr() const; template <class T> T* mutable_data_ptr() const; template <class T> const T* const_data_ptr() const; void print() const; const TensorBase& set_requires_grad(bool requires_grad) const; bool requires_grad() const; bool is_leaf() const; int64_t output_nr() const; int64_t _version() const; TensorBase variable_data() const; const std::string& name() const; void enforce_invariants();
  template <class T> using hook_return_void_t = unsigned; template <class T> unsigned register_hook(T&& hook) const { return 0; } void remove_hook(unsigned pos) const;
 protected:
  c10::intrusive_ptr<TensorImpl> impl_;
};
int64_t get_device(const TensorBase& self);
}
