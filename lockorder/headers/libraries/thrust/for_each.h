// Parse-only stand-in for thrust/for_each.h.
#pragma once
#include "thrust_core.h"
