// Parse-only stand-in for pybind11/detail/class.h.
#pragma once
#include "../cast.h"
