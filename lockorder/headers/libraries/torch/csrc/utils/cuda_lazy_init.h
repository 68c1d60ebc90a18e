// Parse-only stand-in for PyTorch: torch/csrc/utils/cuda_lazy_init.h.
#pragma once
#include <c10/core/TensorOptions.h>
namespace torch { namespace utils { void cuda_lazy_init(); void set_requires_cuda_init(bool value); } }
