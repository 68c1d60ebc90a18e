// Parse-only stand-in for cuRAND's curand.h.
#pragma once
#include "cuda_runtime_api.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct curandGenerator_st* curandGenerator_t;
typedef enum { CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_VERSION_MISMATCH = 100, CURAND_STATUS_NOT_INITIALIZED, CURAND_STATUS_ALLOCATION_FAILED, CURAND_STATUS_TYPE_ERROR, CURAND_STATUS_OUT_OF_RANGE, CURAND_STATUS_LENGTH_NOT_MULTIPLE, CURAND_STATUS_DOUBLE_PRECISION_REQUIRED, CURAND_STATUS_LAUNCH_FAILURE = 201, CURAND_STATUS_PREEXISTING_FAILURE, CURAND_STATUS_INITIALIZATION_FAILED, CURAND_STATUS_ARCH_MISMATCH, CURAND_STATUS_INTERNAL_ERROR = 999 } curandStatus_t;
typedef enum { CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MTGP32 = 141, CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161 } curandRngType_t; typedef enum { CURAND_ORDERING_PSEUDO_DEFAULT = 101 } curandOrdering_t;
curandStatus_t curandCreateGenerator(curandGenerator_t* g, curandRngType_t t); curandStatus_t curandDestroyGenerator(curandGenerator_t g); curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t s); curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed); curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long o); curandStatus_t curandGenerate(curandGenerator_t g, unsigned int* o, size_t n); curandStatus_t curandGenerateUniform(curandGenerator_t g, float* o, size_t n); curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* o, size_t n); curandStatus_t curandGenerateNormal(curandGenerator_t g, float* o, size_t n, float m, float s); curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* o, size_t n, double m, double s);
#ifdef __cplusplus
}
#endif
