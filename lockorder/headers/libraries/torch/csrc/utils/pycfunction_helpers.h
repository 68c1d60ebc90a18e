// Parse-only stand-in for PyTorch: torch/csrc/utils/pycfunction_helpers.h.
#pragma once
#include <Python.h>
inline PyCFunction castPyCFunctionWithKeywords(PyCFunctionWithKeywords func) { return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(func)); }
