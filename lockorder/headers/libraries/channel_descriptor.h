// Parse-only stand-in for CUDA's channel_descriptor.h.
#pragma once
#include "cuda_runtime_api.h"
#ifdef __cplusplus
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc(void);
extern "C" struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);
#endif
