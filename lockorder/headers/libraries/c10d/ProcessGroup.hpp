// Parse-only stand-in for PyTorch: c10d/ProcessGroup.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
