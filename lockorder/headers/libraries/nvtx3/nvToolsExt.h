// Parse-only stand-in for nvtx3/nvToolsExt.h.
#pragma once
#include "../nvToolsExt.h"
