// Parse-only stand-in for PyTorch: ATen/DeviceGuard.h.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/DeviceGuard.h>
namespace at { c10::optional<Device> device_of(const Tensor& t); c10::optional<Device> device_of(const c10::optional<Tensor>& t); c10::optional<Device> device_of(TensorList t); }
