// Parse-only stand-in for Folly: folly/executors/IOThreadPoolExecutor.h.
#pragma once
#include "CPUThreadPoolExecutor.h"
