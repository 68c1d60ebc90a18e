// Parse-only stand-in for tbb/null_mutex.h.
#pragma once
#include "mutex.h"
