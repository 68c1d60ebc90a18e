// Parse-only stand-in for fmt/args.h.
#pragma once
#include "format.h"
