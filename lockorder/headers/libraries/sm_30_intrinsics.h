// Parse-only stand-in for CUDA's sm_30_intrinsics.h.
#pragma once
#include "device_functions.h"
