// Parse-only stand-in for PyTorch: torch/csrc/autograd/profiler.h.
#pragma once
#include <ATen/record_function.h>
