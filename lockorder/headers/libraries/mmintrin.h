// Parse-only stand-in for mmintrin.h.
#pragma once
#include "immintrin.h"
