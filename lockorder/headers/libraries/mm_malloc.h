// Parse-only stand-in for mm_malloc.h.
#pragma once
#include "immintrin.h"
