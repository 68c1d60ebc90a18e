// Parse-only stand-in for valgrind/callgrind.h.
#pragma once
#include "valgrind.h"
