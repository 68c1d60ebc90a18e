// Parse-only stand-in for CUDA's crt/math_functions.h.
#pragma once
#include "../device_functions.h"
