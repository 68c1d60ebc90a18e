// Parse-only stand-in for hipfft.h.
#pragma once
#include "hipfft/hipfft.h"
