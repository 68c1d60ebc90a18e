// Parse-only stand-in for PyTorch: c10d/logging.h.
#pragma once
#include <torch/csrc/distributed/c10d/logging.h>
