// Parse-only stand-in for hiprand.h.
#pragma once
#include "hiprand/hiprand.h"
