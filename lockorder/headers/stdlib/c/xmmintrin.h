/* Parse-only stand-in for <xmmintrin.h>. */
#pragma once
#include <immintrin.h>
