// Parse-only stand-in for PyTorch: c10d/Backend.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Backend.hpp>
