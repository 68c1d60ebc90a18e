// Parse-only stand-in for pybind11/operators.h.
#pragma once
#include "pybind11.h"
