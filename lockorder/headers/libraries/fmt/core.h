// Parse-only stand-in for fmt/core.h.
#pragma once
#include "format.h"
