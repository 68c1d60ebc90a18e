// Parse-only stand-in for thrust/tuple.h.
#pragma once
#include "thrust_core.h"
