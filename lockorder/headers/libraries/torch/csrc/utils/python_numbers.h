// Parse-only stand-in for PyTorch: torch/csrc/utils/python_numbers.h.
#pragma once
#include <c10/core/Device.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/object_ptr.h>
#include <cstdint>
#include <limits>
PyObject* THPUtils_packDeviceIndex(c10::DeviceIndex value); PyObject* THPUtils_packInt32(int32_t value); PyObject* THPUtils_packInt64(int64_t value); PyObject* THPUtils_packUInt32(uint32_t value); PyObject* THPUtils_packUInt64(uint64_t value); PyObject* THPUtils_packDoubleAsInt(double value); bool THPUtils_checkLongExact(PyObject* obj); bool THPUtils_checkLong(PyObject* obj); int32_t THPUtils_unpackInt(PyObject* obj); int64_t THPUtils_unpackLong(PyObject* obj); uint32_t THPUtils_unpackUInt32(PyObject* obj); uint64_t THPUtils_unpackUInt64(PyObject* obj); bool THPUtils_checkIndex(PyObject* obj); int64_t THPUtils_unpackIndex(PyObject* obj); bool THPUtils_unpackBool(PyObject* obj); bool THPUtils_checkBool(PyObject* obj); bool THPUtils_checkDouble(PyObject* obj); bool THPUtils_checkScalar(PyObject* obj); double THPUtils_unpackDouble(PyObject* obj); bool THPUtils_unpackNumberAsBool(PyObject* obj); c10::DeviceIndex THPUtils_unpackDeviceIndex(PyObject* obj);
