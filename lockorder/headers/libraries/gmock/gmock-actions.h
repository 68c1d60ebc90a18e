// Parse-only stand-in for gmock/gmock-actions.h.
#pragma once
#include "gmock.h"
