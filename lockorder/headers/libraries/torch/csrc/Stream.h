// Parse-only stand-in for PyTorch: torch/csrc/Stream.h.
#pragma once
#include <ATen/ATen.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>
struct THPStream { PyObject_HEAD int64_t stream_id; int64_t device_type; int64_t device_index; }; extern PyTypeObject* THPStreamClass; bool THPStream_Check(PyObject* obj); PyObject* THPStream_Wrap(const c10::Stream& stream);
