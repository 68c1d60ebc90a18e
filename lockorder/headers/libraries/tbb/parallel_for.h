// Parse-only stand-in for tbb/parallel_for.h.
#pragma once
#include "tbb.h"
