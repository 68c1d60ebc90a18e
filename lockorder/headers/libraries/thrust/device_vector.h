// Parse-only stand-in for thrust/device_vector.h.
#pragma once
#include "thrust_core.h"
