// Parse-only stand-in for Folly: folly/json.h.
#pragma once
#include "dynamic.h"
