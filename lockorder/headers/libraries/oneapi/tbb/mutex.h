// Parse-only stand-in for oneapi/tbb/mutex.h.
#pragma once
#include "../../tbb/mutex.h"
