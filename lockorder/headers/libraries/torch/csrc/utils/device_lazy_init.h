// Parse-only stand-in for PyTorch: torch/csrc/utils/device_lazy_init.h.
#pragma once
#include <c10/core/Device.h>
#include <c10/core/TensorOptions.h>
namespace torch { namespace utils { void device_lazy_init(at::DeviceType device_type); void set_requires_device_init(at::DeviceType device_type, bool value); void maybe_initialize_device(at::Device& device); bool is_device_initialized(at::DeviceType device_type); } }
