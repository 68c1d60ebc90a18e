// Parse-only stand-in for pybind11/warnings.h.
#pragma once
#include "pybind11.h"
