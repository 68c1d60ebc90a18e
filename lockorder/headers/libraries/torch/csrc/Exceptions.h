// Parse-only stand-in for PyTorch: torch/csrc/Exceptions.h.
#pragma once
#include <c10/util/Exception.h>
#include <pybind11/pybind11.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
inline void PyErr_SetString(PyObject* type, const std::string& message) { PyErr_SetString(type, message.c_str()); }
extern PyObject *THPException_FatalError, *THPException_LinAlgError, *THPException_OutOfMemoryError, *THPException_DistError, *THPException_DistBackendError, *THPException_DistNetworkError, *THPException_DistStoreError, *THPException_AcceleratorError;
struct python_error : public std::exception { python_error() = default; python_error(const python_error& other); python_error(python_error&& other) noexcept; ~python_error() override; const char* what() const noexcept override; void build_message(); void persist(); void restore(); PyObject* type{nullptr}; PyObject* value{nullptr}; PyObject* traceback{nullptr}; std::string message; };
bool THPException_init(PyObject* module);
namespace torch {
void translate_exception_to_python(const std::exception_ptr& e); std::string processErrorMsg(std::string str);
struct PyTorchError : public std::exception { PyTorchError(); PyTorchError(std::string msg_); PyTorchError(const char* fmt, ...); virtual PyObject* python_type() = 0; const char* what() const noexcept override; std::string msg; };
struct IndexError : public PyTorchError { using PyTorchError::PyTorchError; IndexError(const char* fmt, ...); PyObject* python_type() override; };
struct TypeError : public PyTorchError { using PyTorchError::PyTorchError; TypeError(const char* fmt, ...); PyObject* python_type() override; };
struct ValueError : public PyTorchError { using PyTorchError::PyTorchError; ValueError(const char* fmt, ...); PyObject* python_type() override; };
struct NotImplementedError : public PyTorchError { NotImplementedError() = default; PyObject* python_type() override; };
struct AttributeError : public PyTorchError { AttributeError(const char* fmt, ...); PyObject* python_type() override; };
struct LinAlgError : public PyTorchError { LinAlgError(const char* fmt, ...); PyObject* python_type() override; };
struct PyWarningHandler { PyWarningHandler() noexcept(true); ~PyWarningHandler() noexcept(false); void set_in_exception(); };
namespace detail { struct noop_gil_scoped_release { noop_gil_scoped_release() {} }; template <bool release_gil> using conditional_gil_scoped_release = typename std::conditional<release_gil, pybind11::gil_scoped_release, noop_gil_scoped_release>::type; }
template <class F> F wrap_pybind_function(F&& f) { return static_cast<F&&>(f); } template <class F> F wrap_pybind_function_no_gil(F&& f) { return static_cast<F&&>(f); }
}
#define HANDLE_TH_ERRORS try { torch::PyWarningHandler lostub_warnings; try {
#define END_HANDLE_TH_ERRORS_RET(retval) } catch (...) { lostub_warnings.set_in_exception(); throw; } } catch (const std::exception& e) { torch::translate_exception_to_python(std::current_exception()); return retval; }
#define END_HANDLE_TH_ERRORS END_HANDLE_TH_ERRORS_RET(nullptr)
#define END_HANDLE_TH_ERRORS_PYBIND } catch (...) { lostub_warnings.set_in_exception(); throw; } } catch (pybind11::error_already_set & e) { throw; } catch (const std::exception& e) { torch::translate_exception_to_python(std::current_exception()); throw pybind11::error_already_set(); }
#define CATCH_CORE_ERRORS(retstmnt) catch (python_error & e) { e.restore(); retstmnt; } catch (pybind11::error_already_set & e) { e.restore(); retstmnt; } catch (const c10::Error& e) { PyErr_SetString(PyExc_RuntimeError, e.what()); retstmnt; }
#define CATCH_TH_ERRORS(retstmnt) CATCH_CORE_ERRORS(retstmnt)
#define CATCH_ALL_ERRORS(retstmnt) CATCH_TH_ERRORS(retstmnt) catch (const std::exception& e) { PyErr_SetString(PyExc_RuntimeError, e.what()); retstmnt; }
