/* Parse-only stand-in for <avxintrin.h>. */
#pragma once
#include <immintrin.h>
