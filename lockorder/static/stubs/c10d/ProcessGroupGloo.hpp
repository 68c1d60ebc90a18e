// Parse-only stand-in for PyTorch: c10d/ProcessGroupGloo.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
