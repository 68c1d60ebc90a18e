// Parse-only stand-in for PyTorch: ATen/Tensor.h.
#pragma once
#include <ATen/core/Tensor.h>
