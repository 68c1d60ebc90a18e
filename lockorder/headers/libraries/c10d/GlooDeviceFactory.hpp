// Parse-only stand-in for PyTorch: c10d/GlooDeviceFactory.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/GlooDeviceFactory.hpp>
