// Parse-only stand-in for PyTorch: torch/csrc/utils.h.
#pragma once
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_numbers.h>
#include <string>
#include <vector>
void THPUtils_setError(const char* format, ...); void THPUtils_invalidArguments(PyObject* given_args, PyObject* given_kwargs, const char* function_name, size_t num_options, ...); std::vector<int> THPUtils_unpackIntTuple(PyObject* arg); const char* THPUtils_typename(PyObject* obj);
