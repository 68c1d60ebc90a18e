// Parse-only stand-in for cuFFT's cufftXt.h.
#pragma once
#include "cufft.h"
