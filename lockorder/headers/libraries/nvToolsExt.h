// Parse-only stand-in for NVTX's nvToolsExt.h.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum nvtxMessageType_t { NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE, NVTX_MESSAGE_TYPE_REGISTERED } nvtxMessageType_t;
typedef enum nvtxPayloadType_t { NVTX_PAYLOAD_UNKNOWN, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, NVTX_PAYLOAD_TYPE_INT64, NVTX_PAYLOAD_TYPE_DOUBLE, NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, NVTX_PAYLOAD_TYPE_INT32, NVTX_PAYLOAD_TYPE_FLOAT } nvtxPayloadType_t;
typedef union nvtxMessageValue_t { const char* ascii; const wchar_t* unicode; nvtxStringHandle_t registered; } nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 { uint16_t version, size; uint32_t category; int32_t colorType; uint32_t color; int32_t payloadType, reserved0; union { uint64_t ullValue; int64_t llValue; double dValue; uint32_t uiValue; int32_t iValue; float fValue; } payload; int32_t messageType; nvtxMessageValue_t message; } nvtxEventAttributes_t;
#ifdef __cplusplus
extern "C" {
#endif
void nvtxMarkEx(const nvtxEventAttributes_t* a); void nvtxMarkA(const char* m); void nvtxMarkW(const wchar_t* m); void nvtxMark(const char* m); nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* a); nvtxRangeId_t nvtxRangeStartA(const char* m); nvtxRangeId_t nvtxRangeStart(const char* m); void nvtxRangeEnd(nvtxRangeId_t id); int nvtxRangePushEx(const nvtxEventAttributes_t* a); int nvtxRangePushA(const char* m); int nvtxRangePushW(const wchar_t* m); int nvtxRangePush(const char* m); int nvtxRangePop(void); void nvtxNameOsThreadA(uint32_t id, const char* n); void nvtxNameCategoryA(uint32_t c, const char* n); void nvtxInitialize(const void* reserved);
nvtxDomainHandle_t nvtxDomainCreateA(const char* n); void nvtxDomainDestroy(nvtxDomainHandle_t d); nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t d, const char* s); void nvtxDomainNameCategoryA(nvtxDomainHandle_t d, uint32_t c, const char* n); void nvtxDomainMarkEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t* a); nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t* a); void nvtxDomainRangeEnd(nvtxDomainHandle_t d, nvtxRangeId_t id); int nvtxDomainRangePushEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t* a); int nvtxDomainRangePop(nvtxDomainHandle_t d);
#ifdef __cplusplus
}
#endif
