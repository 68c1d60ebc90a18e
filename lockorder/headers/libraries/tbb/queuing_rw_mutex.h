// Parse-only stand-in for tbb/queuing_rw_mutex.h.
#pragma once
#include "mutex.h"
