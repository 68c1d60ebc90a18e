// Parse-only stand-in for PyTorch: c10d/Types.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Types.hpp>
