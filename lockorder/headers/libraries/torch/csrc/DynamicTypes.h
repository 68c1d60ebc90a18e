// Parse-only stand-in for PyTorch: torch/csrc/DynamicTypes.h.
#pragma once
#include <ATen/ATen.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>
struct THPDtype; struct THPLayout; namespace torch { void registerDtypeObject(THPDtype* dtype, at::ScalarType scalarType); PyObject* createPyObject(const at::Storage& storage); at::Storage createStorage(PyObject* obj); bool isStorage(PyObject* obj); THPDtype* getTHPDtype(at::ScalarType scalarType); }
