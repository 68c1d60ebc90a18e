// Parse-only stand-in for hip/hip_bfloat16.h.
#pragma once
#include "hip_runtime_api.h"
#include "../cuda_bf16.h"
typedef __nv_bfloat16 hip_bfloat16;
