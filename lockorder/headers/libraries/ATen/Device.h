// Parse-only stand-in for PyTorch: ATen/Device.h.
#pragma once
#include <c10/core/Device.h>
