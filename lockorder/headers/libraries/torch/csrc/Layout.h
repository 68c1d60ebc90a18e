// Parse-only stand-in for PyTorch: torch/csrc/Layout.h.
#pragma once
#include <ATen/ATen.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>
struct THPLayout { PyObject_HEAD at::Layout layout; char name[65]; }; bool THPLayout_Check(PyObject* obj);
