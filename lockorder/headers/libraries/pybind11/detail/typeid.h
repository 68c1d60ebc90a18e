// Parse-only stand-in for pybind11/detail/typeid.h.
#pragma once
#include "../cast.h"
