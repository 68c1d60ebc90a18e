// Parse-only stand-in for Folly: folly/futures/Promise.h.
#pragma once
#include "Future.h"
