// Parse-only stand-in for hip/hip_cooperative_groups.h.
#pragma once
#include "hip_runtime.h"
#include "../cooperative_groups.h"
