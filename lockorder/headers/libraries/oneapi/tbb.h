// Parse-only stand-in for oneapi/tbb.h.
#pragma once
#include "../tbb/tbb.h"
