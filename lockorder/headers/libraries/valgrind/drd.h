// Parse-only stand-in for valgrind/drd.h.
#pragma once
#include "valgrind.h"
