// Parse-only stand-in for CUDA's cuda_device_runtime_api.h.
#pragma once
#include "cuda_runtime_api.h"
