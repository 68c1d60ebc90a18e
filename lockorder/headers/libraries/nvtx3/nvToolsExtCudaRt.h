// Parse-only stand-in for nvtx3/nvToolsExtCudaRt.h.
#pragma once
#include "../nvToolsExt.h"
