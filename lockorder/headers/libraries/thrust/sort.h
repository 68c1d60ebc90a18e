// Parse-only stand-in for thrust/sort.h.
#pragma once
#include "thrust_core.h"
