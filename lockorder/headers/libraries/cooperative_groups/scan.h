// Parse-only stand-in for cooperative_groups/scan.h.
#pragma once
#include "../cooperative_groups.h"
