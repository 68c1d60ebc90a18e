// Parse-only stand-in for hip/hip_fp16.h.
#pragma once
#include "hip_runtime_api.h"
#include "../cuda_fp16.h"
