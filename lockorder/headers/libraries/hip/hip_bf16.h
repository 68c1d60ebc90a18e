// Parse-only stand-in for hip/hip_bf16.h.
#pragma once
#include "hip_runtime_api.h"
#include "../cuda_bf16.h"
typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat162 __hip_bfloat162;
