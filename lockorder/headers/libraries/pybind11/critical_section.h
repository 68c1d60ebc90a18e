// Parse-only stand-in for pybind11/critical_section.h.
#pragma once
#include "pybind11.h"
