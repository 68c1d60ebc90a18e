// Parse-only stand-in for tbb/task_arena.h.
#pragma once
#include "tbb.h"
