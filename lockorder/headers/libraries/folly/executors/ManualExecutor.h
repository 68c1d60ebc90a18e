// Parse-only stand-in for Folly: folly/executors/ManualExecutor.h.
#pragma once
#include "CPUThreadPoolExecutor.h"
