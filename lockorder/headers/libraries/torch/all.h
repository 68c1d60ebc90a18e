// Parse-only stand-in for PyTorch: torch/all.h.
#pragma once
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>
