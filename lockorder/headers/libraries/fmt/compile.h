// Parse-only stand-in for fmt/compile.h.
#pragma once
#include "format.h"
