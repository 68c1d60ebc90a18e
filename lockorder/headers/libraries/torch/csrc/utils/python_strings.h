// Parse-only stand-in for PyTorch: torch/csrc/utils/python_strings.h.
#pragma once
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/pybind.h>
#include <string>
bool THPUtils_checkString(PyObject* obj); std::string THPUtils_unpackString(PyObject* obj); c10::string_view THPUtils_unpackStringView(PyObject* obj); PyObject* THPUtils_packString(const char* str); PyObject* THPUtils_packString(const std::string& str); PyObject* THPUtils_internString(const std::string& str); bool THPUtils_isInterned(PyObject* obj); void THPUtils_internStringInPlace(PyObject** obj); pybind11::object PyObject_FastGetAttrString(PyObject* obj, const char* name);
