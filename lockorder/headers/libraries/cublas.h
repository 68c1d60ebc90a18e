// Parse-only stand-in for cuBLAS's cublas.h.
#pragma once
#include "cublas_v2.h"
