// Parse-only stand-in for PyTorch: torch/csrc/jit/python/pybind_utils.h.
#pragma once
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <ATen/core/stack.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/jit/python/pybind.h>
#include <functional>
#include <memory>
#include <string>
namespace torch { namespace jit {
using ResolutionCallback = std::function<py::object(std::string)>;
IValue toIValue(py::handle obj, const c10::TypePtr& type, c10::optional<int32_t> N = {}); py::object toPyObject(IValue ivalue); c10::TypePtr tryToInferType(py::handle input); IValue toTypeInferredIValue(py::handle input); void clear_registered_instances(void* ptr);
struct PythonFunctionGuard { explicit PythonFunctionGuard(py::function func); ~PythonFunctionGuard(); py::function func_; };
struct PythonFutureWrapper : std::enable_shared_from_this<PythonFutureWrapper> { using UnwrapFunc = std::function<void(py::object)>; explicit PythonFutureWrapper(c10::intrusive_ptr<c10::ivalue::Future> fut, c10::optional<UnwrapFunc> unwrap_func = {}); bool done(); py::object value(); py::object wait(); std::shared_ptr<PythonFutureWrapper> then(py::function cb); void add_done_callback(py::function cb); void markCompleted(const py::object& pyValue); c10::intrusive_ptr<c10::ivalue::Future> fut; c10::optional<UnwrapFunc> unwrap_func; };
class PythonAwaitWrapper;
} }
