// Parse-only stand-in for oneapi/tbb/spin_mutex.h.
#pragma once
#include "../../tbb/mutex.h"
