// Parse-only stand-in for thrust/transform.h.
#pragma once
#include "thrust_core.h"
