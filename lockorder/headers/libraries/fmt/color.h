// Parse-only stand-in for fmt/color.h.
#pragma once
#include "format.h"
