// Parse-only stand-in for gtest/gtest-message.h.
#pragma once
#include "gtest.h"
