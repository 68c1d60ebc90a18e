// Parse-only stand-in for PyTorch: c10d/PrefixStore.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
