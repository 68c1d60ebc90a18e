// Parse-only stand-in for PyTorch: torch/csrc/Device.h.
#pragma once
#include <ATen/ATen.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>
struct THPDevice { PyObject_HEAD at::Device device; }; extern PyTypeObject THPDeviceType; bool THPDevice_Check(PyObject* obj); PyObject* THPDevice_New(const at::Device& device); void THPDevice_init(PyObject* module);
