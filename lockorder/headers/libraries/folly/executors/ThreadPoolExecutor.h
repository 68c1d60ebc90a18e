// Parse-only stand-in for Folly: folly/executors/ThreadPoolExecutor.h.
#pragma once
#include "CPUThreadPoolExecutor.h"
