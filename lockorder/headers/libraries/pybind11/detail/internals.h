// Parse-only stand-in for pybind11/detail/internals.h.
#pragma once
#include "../cast.h"
