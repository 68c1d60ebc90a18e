// Parse-only stand-in for CUDA's sm_20_atomic_functions.h.
#pragma once
#include "device_functions.h"
