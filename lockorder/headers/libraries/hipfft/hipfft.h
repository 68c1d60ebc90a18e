// Parse-only stand-in for hipfft/hipfft.h (minimal).
#pragma once
#include "../hip/hip_runtime_api.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct hipfftHandle_t* hipfftHandle; typedef float hipfftReal; typedef double hipfftDoubleReal; typedef float2 hipfftComplex; typedef double2 hipfftDoubleComplex;
typedef enum { HIPFFT_SUCCESS, HIPFFT_INVALID_PLAN, HIPFFT_ALLOC_FAILED, HIPFFT_INVALID_TYPE, HIPFFT_INVALID_VALUE, HIPFFT_INTERNAL_ERROR, HIPFFT_EXEC_FAILED, HIPFFT_SETUP_FAILED, HIPFFT_INVALID_SIZE, HIPFFT_UNALIGNED_DATA, HIPFFT_INCOMPLETE_PARAMETER_LIST, HIPFFT_INVALID_DEVICE, HIPFFT_PARSE_ERROR, HIPFFT_NO_WORKSPACE, HIPFFT_NOT_IMPLEMENTED, HIPFFT_LICENSE_ERROR, HIPFFT_NOT_SUPPORTED } hipfftResult;
typedef enum { HIPFFT_R2C = 0x2a, HIPFFT_C2R = 0x2c, HIPFFT_C2C = 0x29, HIPFFT_D2Z = 0x6a, HIPFFT_Z2D = 0x6c, HIPFFT_Z2Z = 0x69 } hipfftType;
#define HIPFFT_FORWARD -1
#define HIPFFT_INVERSE 1
#define HIPFFT_VERSION 11300
#define HIPFFT_VER_MAJOR 11
#define HIPFFT_VER_MINOR 3
hipfftResult hipfftCreate(hipfftHandle* h); hipfftResult hipfftDestroy(hipfftHandle h); hipfftResult hipfftSetStream(hipfftHandle h, hipStream_t s); hipfftResult hipfftSetAutoAllocation(hipfftHandle h, int a); hipfftResult hipfftSetWorkArea(hipfftHandle h, void* w); hipfftResult hipfftGetVersion(int* v); hipfftResult hipfftPlan1d(hipfftHandle* h, int nx, hipfftType t, int batch); hipfftResult hipfftPlan2d(hipfftHandle* h, int nx, int ny, hipfftType t); hipfftResult hipfftPlan3d(hipfftHandle* h, int nx, int ny, int nz, hipfftType t); hipfftResult hipfftPlanMany(hipfftHandle* h, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, hipfftType t, int batch); hipfftResult hipfftExecC2C(hipfftHandle h, hipfftComplex* i, hipfftComplex* o, int d); hipfftResult hipfftExecR2C(hipfftHandle h, hipfftReal* i, hipfftComplex* o); hipfftResult hipfftExecC2R(hipfftHandle h, hipfftComplex* i, hipfftReal* o); hipfftResult hipfftExecZ2Z(hipfftHandle h, hipfftDoubleComplex* i, hipfftDoubleComplex* o, int d); hipfftResult hipfftExecD2Z(hipfftHandle h, hipfftDoubleReal* i, hipfftDoubleComplex* o); hipfftResult hipfftExecZ2D(hipfftHandle h, hipfftDoubleComplex* i, hipfftDoubleReal* o);
hipfftResult hipfftXtMakePlanMany(hipfftHandle h, int rank, long long* n, long long* inembed, long long istride, long long idist, hipDataType it, long long* onembed, long long ostride, long long odist, hipDataType ot, long long batch, size_t* ws, hipDataType et); hipfftResult hipfftXtExec(hipfftHandle h, void* i, void* o, int d);
#ifdef __cplusplus
}
#endif
