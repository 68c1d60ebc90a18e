// Parse-only stand-in for Folly: folly/ExceptionWrapper.h.
#pragma once
#include "Try.h"
