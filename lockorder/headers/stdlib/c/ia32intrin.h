/* Parse-only stand-in for <ia32intrin.h>. */
#pragma once
#include <immintrin.h>
