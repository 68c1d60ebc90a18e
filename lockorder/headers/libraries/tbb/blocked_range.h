// Parse-only stand-in for tbb/blocked_range.h.
#pragma once
#include "tbb.h"
