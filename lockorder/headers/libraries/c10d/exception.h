// Parse-only stand-in for PyTorch: c10d/exception.h.
#pragma once
#include <torch/csrc/distributed/c10d/exception.h>
