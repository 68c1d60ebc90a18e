// Parse-only stand-in for PyTorch: torch/csrc/utils/object_ptr.h.
#pragma once
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/python_stub.h>
template <class T> class THPPointer { public: THPPointer(); explicit THPPointer(T* ptr) noexcept; THPPointer(THPPointer&& p) noexcept; ~THPPointer(); T* get(); const T* get() const; THPPointer dup() const; static THPPointer dup(const T* ptr); static THPPointer none(); T* release(); operator T*(); THPPointer& operator=(T* new_ptr) noexcept; THPPointer& operator=(THPPointer&& p) noexcept; T* operator->(); explicit operator bool() const; };
using THPObjectPtr = THPPointer<PyObject>; using THPCodeObjectPtr = THPPointer<PyCodeObject>; using THPFrameObjectPtr = THPPointer<PyFrameObject>;
