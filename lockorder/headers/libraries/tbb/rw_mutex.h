// Parse-only stand-in for tbb/rw_mutex.h.
#pragma once
#include "mutex.h"
