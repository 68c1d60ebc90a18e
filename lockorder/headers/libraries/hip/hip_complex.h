// Parse-only stand-in for hip/hip_complex.h.
#pragma once
#include "hip_runtime_api.h"
typedef float2 hipFloatComplex;
typedef float2 hipComplex;
typedef double2 hipDoubleComplex;
#ifdef __cplusplus
hipFloatComplex make_hipFloatComplex(float, float); hipDoubleComplex make_hipDoubleComplex(double, double); float hipCrealf(hipFloatComplex); float hipCimagf(hipFloatComplex); double hipCreal(hipDoubleComplex); double hipCimag(hipDoubleComplex);
#endif
