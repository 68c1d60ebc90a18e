// Parse-only stand-in for PyTorch: torch/headeronly/macros/Export.h.
#pragma once
#include <c10/macros/Export.h>
