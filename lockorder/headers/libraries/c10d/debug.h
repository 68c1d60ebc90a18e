// Parse-only stand-in for PyTorch: c10d/debug.h.
#pragma once
#include <torch/csrc/distributed/c10d/debug.h>
