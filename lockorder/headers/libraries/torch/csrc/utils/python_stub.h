// Parse-only stand-in for PyTorch: torch/csrc/utils/python_stub.h.
#pragma once
struct _object;
using PyObject = _object;
