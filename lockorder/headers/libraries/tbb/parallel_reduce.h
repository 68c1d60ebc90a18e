// Parse-only stand-in for tbb/parallel_reduce.h.
#pragma once
#include "tbb.h"
