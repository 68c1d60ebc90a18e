// Parse-only stand-in for thrust/copy.h.
#pragma once
#include "thrust_core.h"
