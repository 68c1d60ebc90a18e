// Parse-only stand-in for fmt/printf.h.
#pragma once
#include "format.h"
