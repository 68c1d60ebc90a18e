// Parse-only stand-in for tbb/task_group.h.
#pragma once
#include "tbb.h"
