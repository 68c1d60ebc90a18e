// Parse-only stand-in for PyTorch: c10d/FileStore.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/FileStore.hpp>
