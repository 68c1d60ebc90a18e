// Parse-only stand-in for Folly: folly/Unit.h.
#pragma once
#include "Try.h"
