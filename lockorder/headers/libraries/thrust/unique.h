// Parse-only stand-in for thrust/unique.h.
#pragma once
#include "thrust_core.h"
