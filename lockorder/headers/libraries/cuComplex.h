// Parse-only stand-in for CUDA's cuComplex.h.
#pragma once
#include "vector_types.h"
typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
#ifdef __cplusplus
extern "C" {
#endif
cuFloatComplex make_cuFloatComplex(float r, float i); cuComplex make_cuComplex(float r, float i); cuDoubleComplex make_cuDoubleComplex(double r, double i);
float cuCrealf(cuFloatComplex); float cuCimagf(cuFloatComplex); double cuCreal(cuDoubleComplex); double cuCimag(cuDoubleComplex); float cuCabsf(cuFloatComplex); double cuCabs(cuDoubleComplex);
cuFloatComplex cuConjf(cuFloatComplex); cuDoubleComplex cuConj(cuDoubleComplex); cuFloatComplex cuCaddf(cuFloatComplex, cuFloatComplex); cuFloatComplex cuCsubf(cuFloatComplex, cuFloatComplex); cuFloatComplex cuCmulf(cuFloatComplex, cuFloatComplex); cuFloatComplex cuCdivf(cuFloatComplex, cuFloatComplex);
cuDoubleComplex cuCadd(cuDoubleComplex, cuDoubleComplex); cuDoubleComplex cuCsub(cuDoubleComplex, cuDoubleComplex); cuDoubleComplex cuCmul(cuDoubleComplex, cuDoubleComplex); cuDoubleComplex cuCdiv(cuDoubleComplex, cuDoubleComplex);
#ifdef __cplusplus
}
#endif
