// Parse-only stand-in for tbb/concurrent_vector.h.
#pragma once
#include "tbb.h"
