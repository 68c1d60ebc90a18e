// Parse-only stand-in for CUDA's cuda_profiler_api.h.
#pragma once
#include "cuda_runtime_api.h"
#ifdef __cplusplus
extern "C"
#endif
cudaError_t cudaProfilerInitialize(const char* configFile, const char* outputFile, cudaOutputMode_t outputMode);
