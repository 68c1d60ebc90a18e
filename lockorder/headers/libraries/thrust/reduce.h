// Parse-only stand-in for thrust/reduce.h.
#pragma once
#include "thrust_core.h"
