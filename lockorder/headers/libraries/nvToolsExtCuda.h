// Parse-only stand-in for NVTX's nvToolsExtCuda.h.
#pragma once
#include "nvToolsExt.h"
