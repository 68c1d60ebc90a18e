// Parse-only stand-in for PyTorch: torch/headeronly/macros/Macros.h.
#pragma once
#include <c10/macros/Macros.h>
