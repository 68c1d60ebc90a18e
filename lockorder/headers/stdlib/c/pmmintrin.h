/* Parse-only stand-in for <pmmintrin.h>. */
#pragma once
#include <immintrin.h>
