// Parse-only stand-in for PyTorch: torch/csrc/autograd/python_variable.h.
#pragma once
#include <ATen/core/Tensor.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>
struct THPVariable { PyObject_HEAD at::Tensor cdata; PyObject* backward_hooks; };
extern PyObject* THPVariableClass; PyObject* THPVariable_Wrap(const at::TensorBase& var); bool THPVariable_Check(PyObject* obj); bool THPVariable_CheckExact(PyObject* obj); const at::Tensor& THPVariable_Unpack(PyObject* obj);
