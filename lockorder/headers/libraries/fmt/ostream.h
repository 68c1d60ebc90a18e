// Parse-only stand-in for fmt/ostream.h.
#pragma once
#include "format.h"
