// Parse-only stand-in for PyTorch: torch/csrc/jit/python/pybind.h.
#pragma once
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/pybind.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/symbol.h>
