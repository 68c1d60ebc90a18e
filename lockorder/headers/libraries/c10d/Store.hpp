// Parse-only stand-in for PyTorch: c10d/Store.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Store.hpp>
