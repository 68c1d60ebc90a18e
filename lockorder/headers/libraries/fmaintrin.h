// Parse-only stand-in for fmaintrin.h.
#pragma once
#include "immintrin.h"
