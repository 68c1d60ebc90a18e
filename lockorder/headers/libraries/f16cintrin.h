// Parse-only stand-in for f16cintrin.h.
#pragma once
#include "immintrin.h"
