// Parse-only stand-in for PyTorch: c10d/ProcessGroupWrapper.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/ProcessGroupWrapper.hpp>
