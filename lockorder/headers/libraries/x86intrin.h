// Parse-only stand-in for x86intrin.h.
#pragma once
#include "immintrin.h"
