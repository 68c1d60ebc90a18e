// Parse-only stand-in for cooperative_groups/reduce.h.
#pragma once
#include "../cooperative_groups.h"
