// Parse-only stand-in for PyTorch: torch/headeronly/util/Exception.h.
#pragma once
#include <c10/util/Exception.h>
