// Parse-only stand-in for nvtx3/nvToolsExtPayload.h.
#pragma once
#include "../nvToolsExt.h"
