// Parse-only stand-in for PyTorch: c10d/ParamCommsUtils.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/ParamCommsUtils.hpp>
