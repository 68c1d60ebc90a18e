// Parse-only stand-in for cuBLAS's cublas_api.h.
#pragma once
#include "cublas_v2.h"
