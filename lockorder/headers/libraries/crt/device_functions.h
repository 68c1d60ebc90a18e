// Parse-only stand-in for CUDA's crt/device_functions.h.
#pragma once
#include "../device_functions.h"
