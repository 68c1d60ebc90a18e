// Parse-only stand-in for PyTorch: c10/core/TensorOptions.h.
#pragma once
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Optional.h>
#include <c10/util/typeid.h>
namespace c10 {
struct TensorOptions { TensorOptions(); TensorOptions(Layout layout); TensorOptions(Device device); TensorOptions(DeviceType t); TensorOptions(ScalarType dtype); TensorOptions(caffe2::TypeMeta dtype); TensorOptions device(c10::optional<Device> device) const; TensorOptions device(DeviceType t, DeviceIndex index = -1) const; TensorOptions device(Device d) const; TensorOptions dtype(ScalarType dtype) const; TensorOptions dtype(c10::optional<ScalarType> dtype) const; TensorOptions dtype(caffe2::TypeMeta dtype) const; template <class T> TensorOptions dtype() const; TensorOptions layout(Layout layout) const; TensorOptions requires_grad(bool requires_grad) const; TensorOptions pinned_memory(bool pinned_memory) const; TensorOptions memory_format(MemoryFormat m) const; Device device() const; bool has_device() const; DeviceIndex device_index() const; caffe2::TypeMeta dtype() const; bool has_dtype() const; Layout layout() const; bool requires_grad() const; bool pinned_memory() const; };
TensorOptions dtype(ScalarType d); TensorOptions layout(Layout l); TensorOptions device(Device d); TensorOptions device_index(DeviceIndex i); TensorOptions requires_grad(bool r = true);
}
