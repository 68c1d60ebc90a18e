// Parse-only stand-in for tbb/spin_mutex.h.
#pragma once
#include "mutex.h"
