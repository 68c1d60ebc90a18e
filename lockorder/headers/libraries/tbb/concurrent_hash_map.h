// Parse-only stand-in for tbb/concurrent_hash_map.h.
#pragma once
#include "tbb.h"
