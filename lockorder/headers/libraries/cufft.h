// Parse-only stand-in for cuFFT's cufft.h.
#pragma once
#include "cuda_runtime_api.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef int cufftHandle; typedef float cufftReal; typedef double cufftDoubleReal; typedef float2 cufftComplex; typedef double2 cufftDoubleComplex;
typedef enum { CUFFT_SUCCESS, CUFFT_INVALID_PLAN, CUFFT_ALLOC_FAILED, CUFFT_INVALID_TYPE, CUFFT_INVALID_VALUE, CUFFT_INTERNAL_ERROR, CUFFT_EXEC_FAILED, CUFFT_SETUP_FAILED, CUFFT_INVALID_SIZE, CUFFT_UNALIGNED_DATA, CUFFT_INCOMPLETE_PARAMETER_LIST, CUFFT_INVALID_DEVICE, CUFFT_PARSE_ERROR, CUFFT_NO_WORKSPACE, CUFFT_NOT_IMPLEMENTED, CUFFT_LICENSE_ERROR, CUFFT_NOT_SUPPORTED } cufftResult;
typedef enum { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c, CUFFT_Z2Z = 0x69 } cufftType;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
#define CUFFT_VERSION 11300
#define CUFFT_VER_MAJOR 11
#define CUFFT_VER_MINOR 3
cufftResult cufftCreate(cufftHandle* h); cufftResult cufftDestroy(cufftHandle h); cufftResult cufftSetStream(cufftHandle h, cudaStream_t s); cufftResult cufftSetAutoAllocation(cufftHandle h, int a); cufftResult cufftSetWorkArea(cufftHandle h, void* w); cufftResult cufftGetVersion(int* v); cufftResult cufftPlan1d(cufftHandle* h, int nx, cufftType t, int batch); cufftResult cufftPlan2d(cufftHandle* h, int nx, int ny, cufftType t); cufftResult cufftPlan3d(cufftHandle* h, int nx, int ny, int nz, cufftType t); cufftResult cufftPlanMany(cufftHandle* h, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, cufftType t, int batch); cufftResult cufftExecC2C(cufftHandle h, cufftComplex* i, cufftComplex* o, int d); cufftResult cufftExecR2C(cufftHandle h, cufftReal* i, cufftComplex* o); cufftResult cufftExecC2R(cufftHandle h, cufftComplex* i, cufftReal* o); cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex* i, cufftDoubleComplex* o, int d); cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal* i, cufftDoubleComplex* o); cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex* i, cufftDoubleReal* o);
cufftResult cufftXtMakePlanMany(cufftHandle h, int rank, long long* n, long long* inembed, long long istride, long long idist, cudaDataType it, long long* onembed, long long ostride, long long odist, cudaDataType ot, long long batch, size_t* ws, cudaDataType et); cufftResult cufftXtExec(cufftHandle h, void* i, void* o, int d);
#ifdef __cplusplus
}
#endif
