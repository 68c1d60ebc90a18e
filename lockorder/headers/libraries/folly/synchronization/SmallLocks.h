// Parse-only stand-in for Folly: folly/synchronization/SmallLocks.h.
#pragma once
#include "../MicroSpinLock.h"
