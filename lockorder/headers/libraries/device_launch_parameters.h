// Parse-only stand-in for CUDA's device_launch_parameters.h: the built-in kernel variables.
#pragma once
#include "vector_types.h"
#ifdef __cplusplus
extern "C" {
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
}
#endif
