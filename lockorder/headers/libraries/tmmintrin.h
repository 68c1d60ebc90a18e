// Parse-only stand-in for tmmintrin.h.
#pragma once
#include "immintrin.h"
