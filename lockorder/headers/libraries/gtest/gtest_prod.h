// Parse-only stand-in for gtest/gtest_prod.h.
#pragma once
#include "gtest.h"
