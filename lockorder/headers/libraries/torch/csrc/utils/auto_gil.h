// Parse-only stand-in for PyTorch: torch/csrc/utils/auto_gil.h.
#pragma once
#include <torch/csrc/python_headers.h>
struct AutoGIL { AutoGIL() : gstate(PyGILState_Ensure()) {} ~AutoGIL() { PyGILState_Release(gstate); } PyGILState_STATE gstate; };
struct AutoNoGIL { AutoNoGIL() : save(PyEval_SaveThread()) {} ~AutoNoGIL() { PyEval_RestoreThread(save); } PyThreadState* save; };
struct UnlockGIL { UnlockGIL() : save(PyEval_SaveThread()) {} ~UnlockGIL() { PyEval_RestoreThread(save); } PyThreadState* save; };
