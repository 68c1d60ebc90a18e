// Parse-only stand-in for fmt/chrono.h.
#pragma once
#include "format.h"
