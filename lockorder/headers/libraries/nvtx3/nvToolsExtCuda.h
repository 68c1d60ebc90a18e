// Parse-only stand-in for nvtx3/nvToolsExtCuda.h.
#pragma once
#include "../nvToolsExt.h"
