// Parse-only stand-in for pybind11/detail/init.h.
#pragma once
#include "../cast.h"
