// Parse-only stand-in for PyTorch: torch/script.h.
#pragma once
#include <torch/types.h>
#include <torch/custom_class.h>
