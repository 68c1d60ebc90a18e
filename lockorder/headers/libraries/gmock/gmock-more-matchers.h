// Parse-only stand-in for gmock/gmock-more-matchers.h.
#pragma once
#include "gmock.h"
