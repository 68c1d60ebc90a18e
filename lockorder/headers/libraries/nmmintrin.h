// Parse-only stand-in for nmmintrin.h.
#pragma once
#include "immintrin.h"
