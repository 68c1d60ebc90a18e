// Parse-only stand-in for tbb/enumerable_thread_specific.h.
#pragma once
#include "tbb.h"
