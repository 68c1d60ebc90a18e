// Parse-only stand-in for NVTX's nvToolsExtCudaRt.h.
#pragma once
#include "nvToolsExt.h"
