/* Parse-only stand-in for <wmmintrin.h>. */
#pragma once
#include <immintrin.h>
