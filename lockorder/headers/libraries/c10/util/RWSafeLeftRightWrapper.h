// Parse-only stand-in for PyTorch: c10/util/RWSafeLeftRightWrapper.h.
#pragma once
#include <c10/util/LeftRight.h>
