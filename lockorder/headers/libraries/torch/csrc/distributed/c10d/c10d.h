// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/c10d.h.
#pragma once
#include <torch/csrc/python_headers.h>
namespace torch { namespace distributed { namespace c10d { PyMethodDef* python_functions(); } } }
