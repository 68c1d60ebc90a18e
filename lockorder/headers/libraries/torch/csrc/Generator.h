// Parse-only stand-in for PyTorch: torch/csrc/Generator.h.
#pragma once
#include <ATen/ATen.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>
struct THPGenerator { PyObject_HEAD at::Generator cdata; }; bool THPGenerator_Check(PyObject* obj); PyObject* THPGenerator_initDefaultGenerator(at::Generator cdata);
