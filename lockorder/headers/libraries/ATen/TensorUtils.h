// Parse-only stand-in for PyTorch: ATen/TensorUtils.h.
#pragma once
#include <ATen/core/Tensor.h>
