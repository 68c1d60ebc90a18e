// Parse-only stand-in for thrust/host_vector.h.
#pragma once
#include "thrust_core.h"
