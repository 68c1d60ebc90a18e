// Parse-only stand-in for CUDA's device_atomic_functions.h.
#pragma once
#include "device_functions.h"
