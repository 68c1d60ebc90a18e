// Parse-only stand-in for PyTorch: ATen/TensorOperators.h.
#pragma once
#include <ATen/core/Tensor.h>
