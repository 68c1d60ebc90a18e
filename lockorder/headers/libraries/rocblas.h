// Parse-only stand-in for rocblas.h.
#pragma once
#include "rocblas/rocblas.h"
