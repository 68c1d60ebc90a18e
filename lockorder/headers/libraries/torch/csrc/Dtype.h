// Parse-only stand-in for PyTorch: torch/csrc/Dtype.h.
#pragma once
#include <ATen/ATen.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>
struct THPDtype { PyObject_HEAD at::ScalarType scalar_type; char name[65]; }; extern PyTypeObject THPDtypeType; bool THPDtype_Check(PyObject* obj); PyObject* THPDtype_New(at::ScalarType scalar_type, const std::string& name);
