// Parse-only stand-in for PyTorch: torch/csrc/utils/pybind.h.
#pragma once
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/pythoncapi_compat.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/jit_type_base.h>
#include <c10/util/irange.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/MemoryFormat.h>
#include <torch/csrc/Stream.h>
namespace py = pybind11;
PYBIND11_DECLARE_HOLDER_TYPE(T, c10::intrusive_ptr<T>, true)
namespace torch { namespace impl { template <class T> void destroy_without_gil(T* ptr) { pybind11::gil_scoped_release nogil; delete ptr; } } }
#define IS_PYBIND_2_13_PLUS 1
