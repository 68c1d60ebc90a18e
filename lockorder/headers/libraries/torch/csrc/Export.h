// Parse-only stand-in for PyTorch: torch/csrc/Export.h.
#pragma once
#include <c10/macros/Export.h>
#define TORCH_PYTHON_API
