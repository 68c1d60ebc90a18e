// Parse-only stand-in for hipblas.h.
#pragma once
#include "hipblas/hipblas.h"
