// Parse-only stand-in for fmt/base.h.
#pragma once
#include "format.h"
