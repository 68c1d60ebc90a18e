// Parse-only stand-in for CUDA's driver_functions.h: makers of the small copy structs.
#pragma once
#include "driver_types.h"
#ifdef __cplusplus
struct cudaPitchedPtr make_cudaPitchedPtr(void* d, size_t p, size_t xsz, size_t ysz);
struct cudaPos make_cudaPos(size_t x, size_t y, size_t z);
struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d);
#endif
