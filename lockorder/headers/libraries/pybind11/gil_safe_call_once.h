// Parse-only stand-in for pybind11/gil_safe_call_once.h.
#pragma once
#include "gil.h"
