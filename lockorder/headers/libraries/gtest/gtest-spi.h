// Parse-only stand-in for gtest/gtest-spi.h.
#pragma once
#include "gtest.h"
