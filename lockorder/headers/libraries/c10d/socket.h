// Parse-only stand-in for PyTorch: c10d/socket.h.
#pragma once
#include <torch/csrc/distributed/c10d/socket.h>
