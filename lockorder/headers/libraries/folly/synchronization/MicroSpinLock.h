// Parse-only stand-in for Folly: folly/synchronization/MicroSpinLock.h.
#pragma once
#include "../MicroSpinLock.h"
