// Parse-only stand-in for emmintrin.h.
#pragma once
#include "immintrin.h"
