// Parse-only stand-in for pybind11/chrono.h.
#pragma once
#include "pybind11.h"
#include <chrono>
