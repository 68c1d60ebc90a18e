// Parse-only stand-in for tbb/spin_rw_mutex.h.
#pragma once
#include "mutex.h"
