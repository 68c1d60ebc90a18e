// Parse-only stand-in for Folly: folly/executors/InlineExecutor.h.
#pragma once
#include "CPUThreadPoolExecutor.h"
