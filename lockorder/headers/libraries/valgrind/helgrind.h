// Parse-only stand-in for valgrind/helgrind.h.
#pragma once
#include "valgrind.h"
