// Parse-only stand-in for Folly: folly/executors/SerialExecutor.h.
#pragma once
#include "CPUThreadPoolExecutor.h"
