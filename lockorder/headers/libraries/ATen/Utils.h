// Parse-only stand-in for PyTorch: ATen/Utils.h.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>
