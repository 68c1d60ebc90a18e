// Parse-only stand-in for thrust/fill.h.
#pragma once
#include "thrust_core.h"
