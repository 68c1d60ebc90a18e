// Parse-only stand-in for PyTorch: ATen/NativeFunctions.h.
#pragma once
#include <ATen/Functions.h>
namespace at { namespace native {} }
