// Parse-only stand-in for fmt/ranges.h.
#pragma once
#include "format.h"
