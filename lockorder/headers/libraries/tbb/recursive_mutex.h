// Parse-only stand-in for tbb/recursive_mutex.h.
#pragma once
#include "mutex.h"
