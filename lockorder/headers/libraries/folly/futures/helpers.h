// Parse-only stand-in for Folly: folly/futures/helpers.h.
#pragma once
#include "Future.h"
