// Parse-only stand-in for hip/hip_vector_types.h.
#pragma once
#include "../vector_functions.h"
