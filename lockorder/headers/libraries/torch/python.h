// Parse-only stand-in for PyTorch: torch/python.h.
#pragma once
#include <torch/csrc/Device.h>
#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
namespace torch { namespace python { template <class M> void bind_module(pybind11::module module, const char* name); } }
