// Parse-only stand-in for CUDA's nvrtc.h.
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef enum { NVRTC_SUCCESS, NVRTC_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_PROGRAM_CREATION_FAILURE, NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM, NVRTC_ERROR_INVALID_OPTION, NVRTC_ERROR_COMPILATION, NVRTC_ERROR_BUILTIN_OPERATION_FAILURE, NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID, NVRTC_ERROR_INTERNAL_ERROR } nvrtcResult;
typedef struct _nvrtcProgram* nvrtcProgram;
const char* nvrtcGetErrorString(nvrtcResult r); nvrtcResult nvrtcVersion(int* major, int* minor); nvrtcResult nvrtcGetNumSupportedArchs(int* n); nvrtcResult nvrtcGetSupportedArchs(int* a); nvrtcResult nvrtcCreateProgram(nvrtcProgram* prog, const char* src, const char* name, int numHeaders, const char* const* headers, const char* const* includeNames); nvrtcResult nvrtcDestroyProgram(nvrtcProgram* prog); nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char* const* options); nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t* n); nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char* ptx); nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t* n); nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char* cubin); nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t* n); nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char* ir); nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t* n); nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char* log); nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char* e); nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char* e, const char** lowered);
#ifdef __cplusplus
}
#endif
