// Parse-only stand-in for hiprand/hiprand.h (minimal).
#pragma once
#include "../hip/hip_runtime_api.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct hiprandGenerator_st* hiprandGenerator_t;
typedef enum { HIPRAND_STATUS_SUCCESS = 0, HIPRAND_STATUS_VERSION_MISMATCH = 100, HIPRAND_STATUS_NOT_INITIALIZED, HIPRAND_STATUS_ALLOCATION_FAILED, HIPRAND_STATUS_TYPE_ERROR, HIPRAND_STATUS_OUT_OF_RANGE, HIPRAND_STATUS_LENGTH_NOT_MULTIPLE, HIPRAND_STATUS_DOUBLE_PRECISION_REQUIRED, HIPRAND_STATUS_LAUNCH_FAILURE = 201, HIPRAND_STATUS_PREEXISTING_FAILURE, HIPRAND_STATUS_INITIALIZATION_FAILED, HIPRAND_STATUS_ARCH_MISMATCH, HIPRAND_STATUS_INTERNAL_ERROR = 999 } hiprandStatus_t;
typedef enum { HIPRAND_RNG_PSEUDO_DEFAULT = 100, HIPRAND_RNG_PSEUDO_XORWOW, HIPRAND_RNG_PSEUDO_MTGP32 = 141, HIPRAND_RNG_PSEUDO_PHILOX4_32_10 = 161 } hiprandRngType_t; typedef enum { HIPRAND_ORDERING_PSEUDO_DEFAULT = 101 } hiprandOrdering_t;
hiprandStatus_t hiprandCreateGenerator(hiprandGenerator_t* g, hiprandRngType_t t); hiprandStatus_t hiprandDestroyGenerator(hiprandGenerator_t g); hiprandStatus_t hiprandSetStream(hiprandGenerator_t g, hipStream_t s); hiprandStatus_t hiprandSetPseudoRandomGeneratorSeed(hiprandGenerator_t g, unsigned long long seed); hiprandStatus_t hiprandSetGeneratorOffset(hiprandGenerator_t g, unsigned long long o); hiprandStatus_t hiprandGenerate(hiprandGenerator_t g, unsigned int* o, size_t n); hiprandStatus_t hiprandGenerateUniform(hiprandGenerator_t g, float* o, size_t n); hiprandStatus_t hiprandGenerateUniformDouble(hiprandGenerator_t g, double* o, size_t n); hiprandStatus_t hiprandGenerateNormal(hiprandGenerator_t g, float* o, size_t n, float m, float s); hiprandStatus_t hiprandGenerateNormalDouble(hiprandGenerator_t g, double* o, size_t n, double m, double s);
#ifdef __cplusplus
}
#endif
