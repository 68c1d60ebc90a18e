// Parse-only stand-in for Folly: folly/executors/QueuedImmediateExecutor.h.
#pragma once
#include "CPUThreadPoolExecutor.h"
