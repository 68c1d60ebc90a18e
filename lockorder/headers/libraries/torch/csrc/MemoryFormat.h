// Parse-only stand-in for PyTorch: torch/csrc/MemoryFormat.h.
#pragma once
#include <ATen/ATen.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>
struct THPMemoryFormat { PyObject_HEAD at::MemoryFormat memory_format; char name[65]; }; bool THPMemoryFormat_Check(PyObject* obj);
