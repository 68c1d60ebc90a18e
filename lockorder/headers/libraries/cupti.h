// Parse-only stand-in for CUPTI's cupti.h (minimal).
#pragma once
#include "cuda.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef enum { CUPTI_SUCCESS, CUPTI_ERROR_INVALID_PARAMETER, CUPTI_ERROR_MAX_LIMIT_REACHED = 12, CUPTI_ERROR_NOT_INITIALIZED = 15, CUPTI_ERROR_UNKNOWN = 999 } CUptiResult;
typedef enum { CUPTI_ACTIVITY_KIND_INVALID, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL = 10, CUPTI_ACTIVITY_KIND_OVERHEAD = 17, CUPTI_ACTIVITY_KIND_MEMCPY2 = 22, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION = 38, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION = 39 } CUpti_ActivityKind;
typedef struct { CUpti_ActivityKind kind; } CUpti_Activity; typedef struct { CUpti_ActivityKind kind; uint64_t start, end; uint32_t deviceId, contextId, streamId, correlationId; const char* name; uint64_t graphId, graphNodeId; } CUpti_ActivityKernel5, CUpti_ActivityKernel9, CUpti_ActivityKernel4, CUpti_ActivityMemcpy5, CUpti_ActivityMemset4;
typedef struct CUpti_Subscriber_st* CUpti_SubscriberHandle; typedef enum { CUPTI_CB_DOMAIN_INVALID, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CB_DOMAIN_SYNCHRONIZE, CUPTI_CB_DOMAIN_NVTX } CUpti_CallbackDomain; typedef uint32_t CUpti_CallbackId; typedef enum { CUPTI_API_ENTER, CUPTI_API_EXIT } CUpti_ApiCallbackSite; typedef struct { CUpti_ApiCallbackSite callbackSite; const char* functionName; const void* functionParams; void* functionReturnValue; const char* symbolName; CUcontext context; uint32_t contextUid; uint64_t* correlationData; uint32_t correlationId; } CUpti_CallbackData; typedef void (*CUpti_CallbackFunc)(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*);
typedef void (*CUpti_BuffersCallbackRequestFunc)(uint8_t**, size_t*, size_t*); typedef void (*CUpti_BuffersCallbackCompleteFunc)(CUcontext, uint32_t, uint8_t*, size_t, size_t);
CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* s, CUpti_CallbackFunc f, void* u); CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle s); CUptiResult cuptiEnableCallback(uint32_t e, CUpti_SubscriberHandle s, CUpti_CallbackDomain d, CUpti_CallbackId c); CUptiResult cuptiEnableDomain(uint32_t e, CUpti_SubscriberHandle s, CUpti_CallbackDomain d); CUptiResult cuptiActivityEnable(CUpti_ActivityKind k); CUptiResult cuptiActivityDisable(CUpti_ActivityKind k); CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc r, CUpti_BuffersCallbackCompleteFunc c); CUptiResult cuptiActivityFlushAll(uint32_t flag); CUptiResult cuptiActivityGetNextRecord(uint8_t* b, size_t n, CUpti_Activity** r); CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext c, uint32_t s, size_t* d); CUptiResult cuptiGetResultString(CUptiResult r, const char** s); CUptiResult cuptiGetTimestamp(uint64_t* t); CUptiResult cuptiGetVersion(uint32_t* v); CUptiResult cuptiFinalize(void);
#ifdef __cplusplus
}
#endif
