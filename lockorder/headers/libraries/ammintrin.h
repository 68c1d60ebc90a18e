// Parse-only stand-in for ammintrin.h.
#pragma once
#include "immintrin.h"
