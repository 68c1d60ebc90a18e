// Parse-only stand-in for pybind11/typing.h.
#pragma once
#include "pybind11.h"
