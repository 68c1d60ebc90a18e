// Parse-only stand-in for PyTorch: c10/core/SafePyObject.h.
#pragma once
#include <c10/macros/Export.h>
#include <utility>
struct _object; typedef _object PyObject;
namespace c10 { namespace impl { struct PyInterpreter; } struct SafePyObject { SafePyObject(PyObject* data, c10::impl::PyInterpreter* pyinterpreter); SafePyObject(SafePyObject&&) noexcept; ~SafePyObject(); c10::impl::PyInterpreter& pyinterpreter() const; PyObject* ptr(const c10::impl::PyInterpreter*) const; }; }
