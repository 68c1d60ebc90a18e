// Parse-only stand-in for pybind11/complex.h.
#pragma once
#include "pybind11.h"
#include <complex>
