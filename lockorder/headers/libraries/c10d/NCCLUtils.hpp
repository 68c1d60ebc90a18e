// Parse-only stand-in for PyTorch: c10d/NCCLUtils.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/NCCLUtils.hpp>
