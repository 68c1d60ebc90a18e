// Parse-only stand-in for PyTorch: c10d/Work.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Work.hpp>
