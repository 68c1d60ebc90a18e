// Parse-only stand-in for PyTorch: ATen/core/grad_mode.h.
#pragma once
#include <c10/core/GradMode.h>
namespace at {}
