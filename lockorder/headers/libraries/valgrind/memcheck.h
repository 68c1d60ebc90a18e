// Parse-only stand-in for valgrind/memcheck.h.
#pragma once
#include "valgrind.h"
