// Parse-only stand-in for thrust/pair.h.
#pragma once
#include "thrust_core.h"
