// Parse-only stand-in for PyTorch: ATen/ScalarOps.h.
#pragma once
#include <ATen/core/Tensor.h>
