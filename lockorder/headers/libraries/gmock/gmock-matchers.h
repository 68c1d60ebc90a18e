// Parse-only stand-in for gmock/gmock-matchers.h.
#pragma once
#include "gmock.h"
