// Parse-only stand-in for hiprand/hiprand_kernel.h.
#pragma once
#include "hiprand.h"
