// Parse-only stand-in for PyTorch: c10d/HashStore.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/HashStore.hpp>
