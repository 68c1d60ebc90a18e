// Parse-only stand-in for hip/hiprtc.h.
#pragma once
#include "hip_runtime_api.h"
typedef enum hiprtcResult { HIPRTC_SUCCESS, HIPRTC_ERROR_OUT_OF_MEMORY, HIPRTC_ERROR_INVALID_INPUT = 3, HIPRTC_ERROR_COMPILATION = 6 } hiprtcResult;
typedef struct _hiprtcProgram* hiprtcProgram;
#ifdef __cplusplus
extern "C" {
#endif
const char* hiprtcGetErrorString(hiprtcResult); hiprtcResult hiprtcVersion(int*, int*); hiprtcResult hiprtcCreateProgram(hiprtcProgram*, const char*, const char*, int, const char**, const char**); hiprtcResult hiprtcCompileProgram(hiprtcProgram, int, const char**); hiprtcResult hiprtcDestroyProgram(hiprtcProgram*); hiprtcResult hiprtcGetCodeSize(hiprtcProgram, size_t*); hiprtcResult hiprtcGetCode(hiprtcProgram, char*); hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram, size_t*); hiprtcResult hiprtcGetProgramLog(hiprtcProgram, char*); hiprtcResult hiprtcAddNameExpression(hiprtcProgram, const char*); hiprtcResult hiprtcGetLoweredName(hiprtcProgram, const char*, const char**);
#ifdef __cplusplus
}
#endif
