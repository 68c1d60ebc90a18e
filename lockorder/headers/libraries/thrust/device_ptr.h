// Parse-only stand-in for thrust/device_ptr.h.
#pragma once
#include "thrust_core.h"
