// Parse-only stand-in for tbb/queuing_mutex.h.
#pragma once
#include "mutex.h"
