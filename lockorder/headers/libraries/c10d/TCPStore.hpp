// Parse-only stand-in for PyTorch: c10d/TCPStore.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
