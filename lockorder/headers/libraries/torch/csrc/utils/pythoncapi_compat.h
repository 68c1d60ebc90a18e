// Parse-only stand-in for PyTorch: torch/csrc/utils/pythoncapi_compat.h.
#pragma once
#include <Python.h>
