// Parse-only stand-in for hip/hip_ext.h.
#pragma once
#include "hip_runtime.h"
