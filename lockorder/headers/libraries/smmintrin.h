// Parse-only stand-in for smmintrin.h.
#pragma once
#include "immintrin.h"
