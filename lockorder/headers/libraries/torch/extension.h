// Parse-only stand-in for PyTorch: torch/extension.h.
#pragma once
#include <torch/all.h>
#include <torch/python.h>
