// Parse-only stand-in for PyTorch: torch/csrc/utils/python_arg_parser.h.
#pragma once
#include <ATen/ATen.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_strings.h>
#include <memory>
#include <string>
#include <vector>
namespace torch {
bool should_allow_numbers_as_tensors(const std::string& name);
template <int N> struct ParsedArgs { ParsedArgs(); PyObject* args[N]; };
struct PythonArgs { int idx; PyObject** args; bool has_torch_function() const; std::string get_func_name(); at::Tensor tensor(int i); c10::optional<at::Tensor> optionalTensor(int i); at::Scalar scalar(int i); std::vector<at::Tensor> tensorlist(int i); std::vector<int64_t> intlist(int i); c10::optional<at::Generator> generator(int i); at::Storage storage(int i); at::ScalarType scalartype(int i); at::Layout layout(int i); at::Device device(int i); c10::optional<at::Device> deviceOptional(int i); at::MemoryFormat memoryformat(int i); std::string string(int i); c10::string_view stringView(int i); PyObject* pyobject(int i); int64_t toInt64(int i); double toDouble(int i); bool toBool(int i); bool isNone(int i); c10::Stream stream(int i); };
struct PythonArgParser { explicit PythonArgParser(const std::vector<std::string>& fmts, bool traceable = false); template <int N> PythonArgs parse(PyObject* self, PyObject* args, PyObject* kwargs, ParsedArgs<N>& dst); template <int N> PythonArgs parse(PyObject* args, PyObject* kwargs, ParsedArgs<N>& dst); std::vector<std::string> get_signatures() const; };
PyObject* handle_torch_function(PythonArgs& r, PyObject* self, PyObject* args, PyObject* kwargs, PyObject* torch_api, const char* module_name, const char* func_name_override = nullptr); bool is_tensor_and_append_overloaded(PyObject* obj, std::vector<PyObject*>* overloaded_args);
}
