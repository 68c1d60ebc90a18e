// Parse-only stand-in for cooperative_groups/memcpy_async.h.
#pragma once
#include "../cooperative_groups.h"
