// Parse-only stand-in for Folly: folly/executors/GlobalExecutor.h.
#pragma once
#include "CPUThreadPoolExecutor.h"
