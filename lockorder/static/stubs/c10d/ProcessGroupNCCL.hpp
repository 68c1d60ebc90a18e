// Parse-only stand-in for PyTorch: c10d/ProcessGroupNCCL.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
