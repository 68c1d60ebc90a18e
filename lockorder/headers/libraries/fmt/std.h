// Parse-only stand-in for fmt/std.h.
#pragma once
#include "format.h"
