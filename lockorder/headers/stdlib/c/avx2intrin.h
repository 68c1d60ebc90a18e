/* Parse-only stand-in for <avx2intrin.h>. */
#pragma once
#include <immintrin.h>
