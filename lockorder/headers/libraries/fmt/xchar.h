// Parse-only stand-in for fmt/xchar.h.
#pragma once
#include "format.h"
