// Parse-only stand-in for tbb/concurrent_queue.h.
#pragma once
#include "tbb.h"
