// Parse-only stand-in for CUDA's cuda_occupancy.h.
#pragma once
#include "cuda_runtime_api.h"
struct cudaOccDeviceProp { int computeMajor, computeMinor, maxThreadsPerBlock, maxThreadsPerMultiprocessor, regsPerBlock, regsPerMultiprocessor, warpSize, numSms; size_t sharedMemPerBlock, sharedMemPerMultiprocessor, sharedMemPerBlockOptin; };
int cudaOccRegAllocationGranularity(int* g, const struct cudaOccDeviceProp* p); int cudaOccSubPartitionsPerMultiprocessor(int* n, const struct cudaOccDeviceProp* p);
