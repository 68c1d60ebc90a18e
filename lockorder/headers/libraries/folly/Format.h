// Parse-only stand-in for Folly: folly/Format.h.
#pragma once
#include "String.h"
