// Parse-only stand-in for pybind11/stl.h.
#pragma once
#include "pybind11.h"
#include <array>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <valarray>
#if __cplusplus >= 201703L
#include <optional>
#include <variant>
#endif
