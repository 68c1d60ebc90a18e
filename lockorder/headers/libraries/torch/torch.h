// Parse-only stand-in for PyTorch: torch/torch.h.
#pragma once
#include <torch/all.h>
