// Parse-only stand-in for oneapi/tbb/queuing_mutex.h.
#pragma once
#include "../../tbb/mutex.h"
