// Parse-only stand-in for pybind11/detail/descr.h.
#pragma once
#include "../cast.h"
