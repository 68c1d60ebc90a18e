// Parse-only stand-in for PyTorch: c10d/error.h.
#pragma once
#include <torch/csrc/distributed/c10d/error.h>
