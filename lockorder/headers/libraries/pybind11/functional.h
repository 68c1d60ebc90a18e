// Parse-only stand-in for pybind11/functional.h.
#pragma once
#include "pybind11.h"
#include <functional>
