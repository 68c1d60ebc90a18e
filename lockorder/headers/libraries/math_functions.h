// Parse-only stand-in for CUDA's math_functions.h.
#pragma once
#include "device_functions.h"
