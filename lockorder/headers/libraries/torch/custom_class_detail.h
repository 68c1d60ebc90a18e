// Parse-only stand-in for PyTorch: torch/custom_class_detail.h.
#pragma once
#include <ATen/core/ivalue.h>
