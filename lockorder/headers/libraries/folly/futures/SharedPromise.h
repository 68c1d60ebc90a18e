// Parse-only stand-in for Folly: folly/futures/SharedPromise.h.
#pragma once
#include "Future.h"
