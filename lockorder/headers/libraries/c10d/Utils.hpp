// Parse-only stand-in for PyTorch: c10d/Utils.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Utils.hpp>
