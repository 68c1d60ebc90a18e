// Parse-only stand-in for Folly: folly/executors/thread_factory/NamedThreadFactory.h.
#pragma once
#include "../CPUThreadPoolExecutor.h"
