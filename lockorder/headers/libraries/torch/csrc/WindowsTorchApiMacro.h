// Parse-only stand-in for PyTorch: torch/csrc/WindowsTorchApiMacro.h.
#pragma once
#include <c10/macros/Export.h>
#include <torch/csrc/Export.h>
#define TORCH_PYTHON_EXPORT
