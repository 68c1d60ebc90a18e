// Parse-only stand-in for HIP: runtime types and enumerations.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "../crt/host_defines.h"
#include "../vector_types.h"

typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
typedef struct ihipGraph* hipGraph_t;
typedef struct hipGraphNode* hipGraphNode_t;
typedef struct hipGraphExec* hipGraphExec_t;
typedef struct CUgraphDeviceUpdatableNode_st* hipGraphDeviceNode_t;
typedef struct hipUserObject* hipUserObject_t;
typedef struct ihipModuleSymbol_t* hipFunction_t;
typedef struct CUkern_st* hipKernel_t;
typedef struct CUlib_st* hipLibrary_t;
typedef struct ihipMemPoolHandle_t* hipMemPool_t;
typedef struct CUexternalMemory_st* hipExternalMemory_t;
typedef struct CUexternalSemaphore_st* hipExternalSemaphore_t;
typedef struct hipGraphicsResource* hipGraphicsResource_t;
typedef struct hipArray* hipArray_t;
typedef const struct hipArray* hipArray_const_t;
typedef struct hipMipmappedArray* hipMipmappedArray_t;
typedef struct CUeglStreamConnection_st* hipEglStreamConnection;
typedef struct CUdevResource_st hipDevResource;
typedef struct hipAsyncCallbackEntry* hipAsyncCallbackHandle_t;
typedef unsigned long long hipTextureObject_t;
typedef unsigned long long hipSurfaceObject_t;
typedef unsigned long long hipGraphConditionalHandle;
typedef unsigned int hipLogIterator;

enum hipError_t_ {
  hipSuccess = 0, hipErrorInvalidValue, hipErrorOutOfMemory, hipErrorNotInitialized,
  hipErrorDeinitialized, hipErrorProfilerDisabled, hipErrorProfilerNotInitialized,
  hipErrorProfilerAlreadyStarted, hipErrorProfilerAlreadyStopped, hipErrorInvalidConfiguration,
  hipErrorInvalidPitchValue = 12, hipErrorInvalidSymbol, hipErrorInvalidHostPointer = 16,
  hipErrorInvalidDevicePointer, hipErrorInvalidTexture, hipErrorInvalidTextureBinding,
  hipErrorInvalidChannelDescriptor, hipErrorInvalidMemcpyDirection, hipErrorAddressOfConstant,
  hipErrorTextureFetchFailed, hipErrorTextureNotBound, hipErrorSynchronizationError,
  hipErrorInvalidFilterSetting, hipErrorInvalidNormSetting, hipErrorMixedDeviceExecution,
  hipErrorNotYetImplemented = 31, hipErrorMemoryValueTooLarge, hipErrorStubLibrary = 34,
  hipErrorInsufficientDriver, hipErrorCallRequiresNewerDriver, hipErrorInvalidSurface,
  hipErrorDuplicateVariableName = 43, hipErrorDuplicateTextureName, hipErrorDuplicateSurfaceName,
  hipErrorDevicesUnavailable, hipErrorIncompatibleDriverContext = 49, hipErrorMissingConfiguration = 52,
  hipErrorPriorLaunchFailure, hipErrorLaunchMaxDepthExceeded = 65, hipErrorLaunchFileScopedTex,
  hipErrorLaunchFileScopedSurf, hipErrorSyncDepthExceeded, hipErrorLaunchPendingCountExceeded,
  hipErrorInvalidDeviceFunction = 98, hipErrorNoDevice = 100, hipErrorInvalidDevice,
  hipErrorDeviceNotLicensed, hipErrorSoftwareValidityNotEstablished, hipErrorStartupFailure = 127,
  hipErrorInvalidKernelImage = 200, hipErrorInvalidContext, hipErrorMapBufferObjectFailed = 205,
  hipErrorUnmapBufferObjectFailed, hipErrorArrayIsMapped, hipErrorAlreadyMapped,
  hipErrorNoKernelImageForDevice, hipErrorAlreadyAcquired, hipErrorNotMapped, hipErrorNotMappedAsArray,
  hipErrorNotMappedAsPointer, hipErrorECCUncorrectable, hipErrorUnsupportedLimit,
  hipErrorDeviceAlreadyInUse, hipErrorPeerAccessUnsupported, hipErrorInvalidPtx,
  hipErrorInvalidGraphicsContext, hipErrorNvlinkUncorrectable, hipErrorJitCompilerNotFound,
  hipErrorUnsupportedPtxVersion, hipErrorJitCompilationDisabled, hipErrorUnsupportedExecAffinity,
  hipErrorUnsupportedDevSideSync, hipErrorContained, hipErrorInvalidSource = 300, hipErrorFileNotFound,
  hipErrorSharedObjectSymbolNotFound, hipErrorSharedObjectInitFailed, hipErrorOperatingSystem,
  hipErrorInvalidHandle = 400, hipErrorIllegalState, hipErrorLossyQuery,
  hipErrorNotFound = 500, hipErrorNotReady = 600, hipErrorIllegalAddress = 700,
  hipErrorLaunchOutOfResources, hipErrorLaunchTimeout, hipErrorLaunchIncompatibleTexturing,
  hipErrorPeerAccessAlreadyEnabled, hipErrorPeerAccessNotEnabled, hipErrorSetOnActiveProcess = 708,
  hipErrorContextIsDestroyed, hipErrorAssert, hipErrorTooManyPeers, hipErrorHostMemoryAlreadyRegistered,
  hipErrorHostMemoryNotRegistered, hipErrorHardwareStackError, hipErrorIllegalInstruction,
  hipErrorMisalignedAddress, hipErrorInvalidAddressSpace, hipErrorInvalidPc, hipErrorLaunchFailure,
  hipErrorCooperativeLaunchTooLarge, hipErrorTensorMemoryLeak, hipErrorNotPermitted = 800,
  hipErrorNotSupported, hipErrorSystemNotReady, hipErrorSystemDriverMismatch,
  hipErrorCompatNotSupportedOnDevice, hipErrorMpsConnectionFailed, hipErrorMpsRpcFailure,
  hipErrorMpsServerNotReady, hipErrorMpsMaxClientsReached, hipErrorMpsMaxConnectionsReached,
  hipErrorMpsClientTerminated, hipErrorCdpNotSupported, hipErrorCdpVersionMismatch,
  hipErrorStreamCaptureUnsupported = 900, hipErrorStreamCaptureInvalidated, hipErrorStreamCaptureMerge,
  hipErrorStreamCaptureUnmatched, hipErrorStreamCaptureUnjoined, hipErrorStreamCaptureIsolation,
  hipErrorStreamCaptureImplicit, hipErrorCapturedEvent, hipErrorStreamCaptureWrongThread,
  hipErrorTimeout, hipErrorGraphExecUpdateFailure, hipErrorExternalDevice, hipErrorInvalidClusterSize,
  hipErrorFunctionNotLoaded, hipErrorInvalidResourceType, hipErrorInvalidResourceConfiguration,
  hipErrorUnknown = 999, hipErrorApiFailureBase = 10000
};
typedef enum hipError_t_ hipError_t;

enum hipMemcpyKind { hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice, hipMemcpyDefault };
enum hipMemoryType { hipMemoryTypeUnregistered, hipMemoryTypeHost, hipMemoryTypeDevice, hipMemoryTypeManaged };
enum hipStreamCaptureStatus { hipStreamCaptureStatusNone, hipStreamCaptureStatusActive, hipStreamCaptureStatusInvalidated };
enum hipStreamCaptureMode { hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed };
enum hipStreamUpdateCaptureDependenciesFlags { hipStreamAddCaptureDependencies, hipStreamSetCaptureDependencies };
enum hipLimit { hipLimitStackSize, hipLimitPrintfFifoSize, hipLimitMallocHeapSize, hipLimitDevRuntimeSyncDepth, hipLimitDevRuntimePendingLaunchCount, hipLimitMaxL2FetchGranularity, hipLimitPersistingL2CacheSize };
enum hipFuncCache { hipFuncCachePreferNone, hipFuncCachePreferShared, hipFuncCachePreferL1, hipFuncCachePreferEqual };
enum hipSharedMemConfig { hipSharedMemBankSizeDefault, hipSharedMemBankSizeFourByte, hipSharedMemBankSizeEightByte };
enum hipSharedCarveout { hipSharedmemCarveoutDefault = -1, hipSharedmemCarveoutMaxL1, hipSharedmemCarveoutMaxShared = 100 };
enum hipComputeMode { hipComputeModeDefault, hipComputeModeExclusive, hipComputeModeProhibited, hipComputeModeExclusiveProcess };
enum hipFuncAttribute {
  hipFuncAttributeMaxDynamicSharedMemorySize = 8, hipFuncAttributePreferredSharedMemoryCarveout, hipFuncAttributeClusterDimMustBeSet,
  hipFuncAttributeRequiredClusterWidth, hipFuncAttributeRequiredClusterHeight, hipFuncAttributeRequiredClusterDepth,
  hipFuncAttributeNonPortableClusterSizeAllowed, hipFuncAttributeClusterSchedulingPolicyPreference, hipFuncAttributeMax };
enum hipMemoryAdvise { hipMemAdviseSetReadMostly = 1, hipMemAdviseUnsetReadMostly, hipMemAdviseSetPreferredLocation, hipMemAdviseUnsetPreferredLocation, hipMemAdviseSetAccessedBy, hipMemAdviseUnsetAccessedBy };
enum hipMemRangeAttribute { hipMemRangeAttributeReadMostly = 1, hipMemRangeAttributePreferredLocation, hipMemRangeAttributeAccessedBy, hipMemRangeAttributeLastPrefetchLocation };
enum hipDeviceP2PAttr { hipDevP2PAttrPerformanceRank = 1, hipDevP2PAttrAccessSupported, hipDevP2PAttrNativeAtomicSupported, hipDevP2PAttrCudaArrayAccessSupported };
enum hipChannelFormatKind { hipChannelFormatKindSigned, hipChannelFormatKindUnsigned, hipChannelFormatKindFloat, hipChannelFormatKindNone };
enum hipCGScope { hipCGScopeInvalid, hipCGScopeGrid, hipCGScopeMultiGrid };
enum hipFlushGPUDirectRDMAWritesTarget { hipFlushGPUDirectRDMAWritesTargetCurrentDevice };
enum hipFlushGPUDirectRDMAWritesScope { hipFlushGPUDirectRDMAWritesToOwner = 100, hipFlushGPUDirectRDMAWritesToAllDevices = 200 };
enum hipFlushGPUDirectRDMAWritesOptions { hipFlushGPUDirectRDMAWritesOptionHost = 1, hipFlushGPUDirectRDMAWritesOptionMemOps = 2 };
enum hipGPUDirectRDMAWritesOrdering { hipGPUDirectRDMAWritesOrderingNone = 0, hipGPUDirectRDMAWritesOrderingOwner = 100, hipGPUDirectRDMAWritesOrderingAllDevices = 200 };
enum hipGetDriverEntryPointFlags { hipEnableDefault = 0, hipEnableLegacyStream = 1, hipEnablePerThreadDefaultStream = 2 };
enum hipDriverEntryPointQueryResult { hipDriverEntryPointSuccess, hipDriverEntryPointSymbolNotFound, hipDriverEntryPointVersionNotSufficent };
enum hipOutputMode { hipKeyValuePair, hipCSV };
typedef enum hipOutputMode hipOutputMode_t;
enum hipGraphNodeType {
  hipGraphNodeTypeKernel, hipGraphNodeTypeMemcpy, hipGraphNodeTypeMemset, hipGraphNodeTypeHost, hipGraphNodeTypeGraph, hipGraphNodeTypeEmpty,
  hipGraphNodeTypeWaitEvent, hipGraphNodeTypeEventRecord, hipGraphNodeTypeExtSemaphoreSignal, hipGraphNodeTypeExtSemaphoreWait,
  hipGraphNodeTypeMemAlloc, hipGraphNodeTypeMemFree, hipGraphNodeTypeConditional = 13, hipGraphNodeTypeCount };
enum hipGraphConditionalNodeType { hipGraphCondTypeIf, hipGraphCondTypeWhile, hipGraphCondTypeSwitch };
enum hipGraphConditionalHandleFlags { hipGraphCondAssignDefault = 1 };
enum hipGraphDependencyType { hipGraphDependencyTypeDefault, hipGraphDependencyTypeProgrammatic };
enum hipGraphExecUpdateResult {
  hipGraphExecUpdateSuccess, hipGraphExecUpdateError, hipGraphExecUpdateErrorTopologyChanged, hipGraphExecUpdateErrorNodeTypeChanged,
  hipGraphExecUpdateErrorFunctionChanged, hipGraphExecUpdateErrorParametersChanged, hipGraphExecUpdateErrorNotSupported,
  hipGraphExecUpdateErrorUnsupportedFunctionChange, hipGraphExecUpdateErrorAttributesChanged };
enum hipGraphInstantiateFlags { hipGraphInstantiateFlagAutoFreeOnLaunch = 1, hipGraphInstantiateFlagUpload = 2, hipGraphInstantiateFlagDeviceLaunch = 4, hipGraphInstantiateFlagUseNodePriority = 8 };
enum hipGraphInstantiateResult { hipGraphInstantiateSuccess, hipGraphInstantiateError, hipGraphInstantiateInvalidStructure, hipGraphInstantiateNodeOperationNotSupported, hipGraphInstantiateMultipleDevicesNotSupported };
enum hipGraphDebugDotFlags { hipGraphDebugDotFlagsVerbose = 1, hipGraphDebugDotFlagsKernelNodeParams = 4, hipGraphDebugDotFlagsHandles = 1024 };
enum hipGraphMemAttributeType { hipGraphMemAttrUsedMemCurrent, hipGraphMemAttrUsedMemHigh, hipGraphMemAttrReservedMemCurrent, hipGraphMemAttrReservedMemHigh };
enum hipUserObjectFlags { hipUserObjectNoDestructorSync = 1 };
enum hipUserObjectRetainFlags { hipGraphUserObjectMove = 1 };
enum hipAccessProperty { hipAccessPropertyNormal, hipAccessPropertyStreaming, hipAccessPropertyPersisting };
enum hipSynchronizationPolicy { hipSyncPolicyAuto = 1, hipSyncPolicySpin, hipSyncPolicyYield, hipSyncPolicyBlockingSync };
enum hipClusterSchedulingPolicy { hipClusterSchedulingPolicyDefault, hipClusterSchedulingPolicySpread, hipClusterSchedulingPolicyLoadBalancing };
enum hipMemAllocationType { hipMemAllocationTypeInvalid, hipMemAllocationTypePinned, hipMemAllocationTypeManaged, hipMemAllocationTypeMax = 0x7fffffff };
enum hipMemAllocationHandleType { hipMemHandleTypeNone = 0, hipMemHandleTypePosixFileDescriptor = 1, hipMemHandleTypeWin32 = 2, hipMemHandleTypeWin32Kmt = 4, hipMemHandleTypeFabric = 8 };
enum hipMemLocationType { hipMemLocationTypeInvalid, hipMemLocationTypeNone = 0, hipMemLocationTypeDevice, hipMemLocationTypeHost, hipMemLocationTypeHostNuma, hipMemLocationTypeHostNumaCurrent };
enum hipMemAccessFlags { hipMemAccessFlagsProtNone = 0, hipMemAccessFlagsProtRead = 1, hipMemAccessFlagsProtReadWrite = 3 };
enum hipMemPoolAttr {
  hipMemPoolReuseFollowEventDependencies = 1, hipMemPoolReuseAllowOpportunistic, hipMemPoolReuseAllowInternalDependencies, hipMemPoolAttrReleaseThreshold,
  hipMemPoolAttrReservedMemCurrent, hipMemPoolAttrReservedMemHigh, hipMemPoolAttrUsedMemCurrent, hipMemPoolAttrUsedMemHigh };
enum hipMemcpySrcAccessOrder { hipMemcpySrcAccessOrderInvalid, hipMemcpySrcAccessOrderStream, hipMemcpySrcAccessOrderDuringApiCall, hipMemcpySrcAccessOrderAny };
enum hipMemcpyFlags { hipMemcpyFlagDefault, hipMemcpyFlagPreferOverlapWithCompute };
enum hipLaunchMemSyncDomain { hipLaunchMemSyncDomainDefault, hipLaunchMemSyncDomainRemote };
enum hipExternalMemoryHandleType { hipExternalMemoryHandleTypeOpaqueFd = 1, hipExternalMemoryHandleTypeOpaqueWin32, hipExternalMemoryHandleTypeDedicated };
enum hipExternalSemaphoreHandleType { hipExternalSemaphoreHandleTypeOpaqueFd = 1, hipExternalSemaphoreHandleTypeOpaqueWin32, hipExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9 };

enum hipDeviceAttribute_t {
  hipDeviceAttributeMaxThreadsPerBlock = 1, hipDeviceAttributeMaxBlockDimX, hipDeviceAttributeMaxBlockDimY, hipDeviceAttributeMaxBlockDimZ, hipDeviceAttributeMaxGridDimX,
  hipDeviceAttributeMaxGridDimY, hipDeviceAttributeMaxGridDimZ, hipDeviceAttributeMaxSharedMemoryPerBlock, hipDeviceAttributeTotalConstantMemory, hipDeviceAttributeWarpSize,
  hipDeviceAttributeMaxPitch, hipDeviceAttributeMaxRegistersPerBlock, hipDeviceAttributeClockRate, hipDeviceAttributeTextureAlignment, hipDeviceAttributeGpuOverlap,
  hipDeviceAttributeMultiProcessorCount, hipDeviceAttributeKernelExecTimeout, hipDeviceAttributeIntegrated, hipDeviceAttributeCanMapHostMemory, hipDeviceAttributeComputeMode,
  hipDeviceAttributeConcurrentKernels = 31, hipDeviceAttributeEccEnabled, hipDeviceAttributePciBusId, hipDeviceAttributePciDeviceId, hipDeviceAttributeTccDriver,
  hipDeviceAttributeMemoryClockRate, hipDeviceAttributeGlobalMemoryBusWidth, hipDeviceAttributeL2CacheSize, hipDeviceAttributeMaxThreadsPerMultiProcessor,
  hipDeviceAttributeAsyncEngineCount, hipDeviceAttributeUnifiedAddressing, hipDeviceAttributePciDomainId = 50, hipDeviceAttributeComputeCapabilityMajor = 75,
  hipDeviceAttributeComputeCapabilityMinor, hipDeviceAttributeStreamPrioritiesSupported = 78, hipDeviceAttributeGlobalL1CacheSupported, hipDeviceAttributeLocalL1CacheSupported,
  hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, hipDeviceAttributeMaxRegistersPerMultiprocessor, hipDeviceAttributeManagedMemory, hipDeviceAttributeIsMultiGpuBoard,
  hipDeviceAttributeMultiGpuBoardGroupID, hipDeviceAttributeHostNativeAtomicSupported, hipDeviceAttributeSingleToDoublePrecisionPerfRatio, hipDeviceAttributePageableMemoryAccess,
  hipDeviceAttributeConcurrentManagedAccess, hipDeviceAttributeComputePreemptionSupported, hipDeviceAttributeCanUseHostPointerForRegisteredMem,
  hipDeviceAttributeCooperativeLaunch = 95, hipDeviceAttributeCooperativeMultiDeviceLaunch, hipDeviceAttributeMaxSharedMemoryPerBlockOptin, hipDeviceAttributeCanFlushRemoteWrites,
  hipDeviceAttributeHostRegisterSupported, hipDeviceAttributePageableMemoryAccessUsesHostPageTables, hipDeviceAttributeDirectManagedMemAccessFromHost,
  hipDeviceAttributeMaxBlocksPerMultiprocessor = 106, hipDeviceAttributeMaxPersistingL2CacheSize = 108, hipDeviceAttributeMaxAccessPolicyWindowSize,
  hipDeviceAttributeReservedSharedMemoryPerBlock = 111, hipDeviceAttributeSparseCudaArraySupported, hipDeviceAttributeHostRegisterReadOnlySupported,
  hipDeviceAttributeTimelineSemaphoreInteropSupported, hipDeviceAttributeMemoryPoolsSupported, hipDeviceAttributeGPUDirectRDMASupported,
  hipDeviceAttributeGPUDirectRDMAFlushWritesOptions, hipDeviceAttributeGPUDirectRDMAWritesOrdering, hipDeviceAttributeMemoryPoolSupportedHandleTypes,
  hipDeviceAttributeClusterLaunch, hipDeviceAttributeDeferredMappingCudaArraySupported, hipDeviceAttributeIpcEventSupport = 125, hipDeviceAttributeMemSyncDomainCount,
  hipDeviceAttributeNumaConfig = 130, hipDeviceAttributeNumaId, hipDeviceAttributeHostNumaId = 134, hipDeviceAttributeHostNumaMemoryPoolsSupported = 142, hipDeviceAttributeMax };

#define hipHostAllocDefault 0x00
#define hipHostAllocPortable 0x01
#define hipHostAllocMapped 0x02
#define hipHostAllocWriteCombined 0x04
#define hipHostRegisterDefault 0x00
#define hipHostRegisterPortable 0x01
#define hipHostRegisterMapped 0x02
#define hipHostRegisterIoMemory 0x04
#define hipHostRegisterReadOnly 0x08
#define hipPeerAccessDefault 0x00
#define hipStreamDefault 0x00
#define hipStreamNonBlocking 0x01
#define hipStreamLegacy ((hipStream_t)0x1)
#define hipStreamPerThread ((hipStream_t)0x2)
#define hipEventDefault 0x00
#define hipEventBlockingSync 0x01
#define hipEventDisableTiming 0x02
#define hipEventInterprocess 0x04
#define hipEventRecordDefault 0x00
#define hipEventRecordExternal 0x01
#define hipEventWaitDefault 0x00
#define hipEventWaitExternal 0x01
#define hipDeviceScheduleAuto 0x00
#define hipDeviceScheduleSpin 0x01
#define hipDeviceScheduleYield 0x02
#define hipDeviceScheduleBlockingSync 0x04
#define hipDeviceScheduleMask 0x07
#define hipDeviceBlockingSync 0x04
#define hipDeviceMapHost 0x08
#define hipDeviceLmemResizeToMax 0x10
#define hipDeviceSyncMemops 0x80
#define hipMemAttachGlobal 0x01
#define hipMemAttachHost 0x02
#define hipMemAttachSingle 0x04
#define hipOccupancyDefault 0x00
#define hipOccupancyDisableCachingOverride 0x01
#define hipIpcMemLazyEnablePeerAccess 0x01
#define hipCpuDeviceId ((int)-1)
#define hipInvalidDeviceId ((int)-2)
#define hipArrayDefault 0x00
#define hipArrayLayered 0x01
#define hipArraySurfaceLoadStore 0x02
#define hipCooperativeLaunchMultiDeviceNoPreSync 0x01
#define hipCooperativeLaunchMultiDeviceNoPostSync 0x02
#define hipInitDeviceFlagsAreValid 0x01
#define hipGraphKernelNodePortDefault 0
#define hipGraphKernelNodePortProgrammatic 1
#define hipMemPoolCreateUsageHwDecompress 0x2
#define HIP_IPC_HANDLE_SIZE 64

typedef struct hipIpcEventHandle_st { char reserved[HIP_IPC_HANDLE_SIZE]; } hipIpcEventHandle_t;
typedef struct hipIpcMemHandle_st { char reserved[HIP_IPC_HANDLE_SIZE]; } hipIpcMemHandle_t;
typedef struct hipMemFabricHandle_st { char reserved[64]; } hipMemFabricHandle_t;
#ifndef LOSTUB_HIPUUID
#define LOSTUB_HIPUUID
typedef struct hipUUID_t { char bytes[16]; } hipUUID;
#endif

struct hipChannelFormatDesc { int x, y, z, w; enum hipChannelFormatKind f; };
struct hipPitchedPtr { void* ptr; size_t pitch, xsize, ysize; };
struct hipExtent { size_t width, height, depth; };
struct hipPos { size_t x, y, z; };
struct hipMemcpy3DParms { hipArray_t srcArray; struct hipPos srcPos; struct hipPitchedPtr srcPtr; hipArray_t dstArray; struct hipPos dstPos; struct hipPitchedPtr dstPtr; struct hipExtent extent; enum hipMemcpyKind kind; };
struct hipMemcpy3DPeerParms { hipArray_t srcArray; struct hipPos srcPos; struct hipPitchedPtr srcPtr; int srcDevice; hipArray_t dstArray; struct hipPos dstPos; struct hipPitchedPtr dstPtr; int dstDevice; struct hipExtent extent; };
struct hipPointerAttribute_t { enum hipMemoryType type; int device; void* devicePointer; void* hostPointer; enum hipMemoryType memoryType; int isManaged; long reserved[8]; };
struct hipFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout;
  int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth, clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed; };
struct hipMemLocation { enum hipMemLocationType type; int id; };
struct hipMemAccessDesc { struct hipMemLocation location; enum hipMemAccessFlags flags; };
struct hipMemPoolProps { enum hipMemAllocationType allocType; enum hipMemAllocationHandleType handleTypes; struct hipMemLocation location; void* win32SecurityAttributes; size_t maxSize; unsigned short usage; unsigned char reserved[54]; };
struct hipMemPoolPtrExportData { unsigned char reserved[64]; };
struct hipMemcpyAttributes { enum hipMemcpySrcAccessOrder srcAccessOrder; struct hipMemLocation srcLocHint, dstLocHint; unsigned int flags; };
struct hipAccessPolicyWindow { void* base_ptr; size_t num_bytes; float hitRatio; enum hipAccessProperty hitProp, missProp; };
struct hipLaunchMemSyncDomainMap_st { unsigned char default_, remote; };
typedef struct hipLaunchMemSyncDomainMap_st hipLaunchMemSyncDomainMap;
typedef enum hipLaunchAttributeID {
  hipLaunchAttributeIgnore, hipLaunchAttributeAccessPolicyWindow, hipLaunchAttributeCooperative, hipLaunchAttributeSynchronizationPolicy,
  hipLaunchAttributeClusterDimension, hipLaunchAttributeClusterSchedulingPolicyPreference, hipLaunchAttributeProgrammaticStreamSerialization,
  hipLaunchAttributeProgrammaticEvent, hipLaunchAttributePriority, hipLaunchAttributeMemSyncDomainMap, hipLaunchAttributeMemSyncDomain,
  hipLaunchAttributePreferredClusterDimension, hipLaunchAttributeLaunchCompletionEvent, hipLaunchAttributeDeviceUpdatableKernelNode,
  hipLaunchAttributePreferredSharedMemoryCarveout, hipLaunchAttributeNvlinkUtilCentricScheduling
} hipLaunchAttributeID;
typedef union hipLaunchAttributeValue {
  char pad[64]; struct hipAccessPolicyWindow accessPolicyWindow; int cooperative; enum hipSynchronizationPolicy syncPolicy;
  struct { unsigned int x, y, z; } clusterDim; enum hipClusterSchedulingPolicy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed; struct { hipEvent_t event; int flags, triggerAtBlockStart; } programmaticEvent;
  int priority; hipLaunchMemSyncDomainMap memSyncDomainMap; enum hipLaunchMemSyncDomain memSyncDomain;
  struct { unsigned int x, y, z; } preferredClusterDim; struct { hipEvent_t event; int flags; } launchCompletionEvent;
  struct { int deviceUpdatable; hipGraphDeviceNode_t devNode; } deviceUpdatableKernelNode;
  unsigned int sharedMemCarveout, nvlinkUtilCentricScheduling;
} hipLaunchAttributeValue;
typedef struct hipLaunchAttribute_st { hipLaunchAttributeID id; hipLaunchAttributeValue val; } hipLaunchAttribute;
typedef struct hipLaunchConfig_st { dim3 gridDim, blockDim; size_t dynamicSmemBytes; hipStream_t stream; hipLaunchAttribute* attrs; unsigned int numAttrs; } hipLaunchConfig_t;
#define hipStreamAttrID hipLaunchAttributeID
#define hipStreamAttrValue hipLaunchAttributeValue
#define hipKernelNodeAttrID hipLaunchAttributeID
#define hipKernelNodeAttrValue hipLaunchAttributeValue
#define hipStreamAttributeAccessPolicyWindow hipLaunchAttributeAccessPolicyWindow
#define hipStreamAttributeSynchronizationPolicy hipLaunchAttributeSynchronizationPolicy
#define hipStreamAttributePriority hipLaunchAttributePriority
#define hipKernelNodeAttributePriority hipLaunchAttributePriority
#define hipKernelNodeAttributeCooperative hipLaunchAttributeCooperative
struct hipLaunchParams { void* func; dim3 gridDim, blockDim; void** args; size_t sharedMem; hipStream_t stream; };

typedef void (* hipHostFn_t)(void* userData);
typedef void (* hipStreamCallback_t)(hipStream_t stream, hipError_t status, void* userData);
typedef struct hipGraphEdgeData_st { unsigned char from_port, to_port, type, reserved[5]; } hipGraphEdgeData;
struct hipHostNodeParams { hipHostFn_t fn; void* userData; };
struct hipKernelNodeParams { void* func; dim3 gridDim, blockDim; unsigned int sharedMemBytes; void** kernelParams; void** extra; };
struct hipKernelNodeParamsV2 { void* func; dim3 gridDim, blockDim; unsigned int sharedMemBytes; void** kernelParams; void** extra; };
struct hipMemsetParams { void* dst; size_t pitch; unsigned int value, elementSize; size_t width, height; };
struct hipMemAllocNodeParams { struct hipMemPoolProps poolProps; const struct hipMemAccessDesc* accessDescs; size_t accessDescCount, bytesize; void* dptr; };
struct hipConditionalNodeParams { hipGraphConditionalHandle handle; enum hipGraphConditionalNodeType type; unsigned int size; hipGraph_t* phGraph_out; };
struct hipEventRecordNodeParams { hipEvent_t event; };
struct hipChildGraphNodeParams { hipGraph_t graph; };
struct hipGraphNodeParams {
  enum hipGraphNodeType type; int reserved0[3];
  union { long long reserved1[29]; struct hipKernelNodeParamsV2 kernel; struct hipMemsetParams memset; struct hipHostNodeParams host;
    struct hipChildGraphNodeParams graph; struct hipEventRecordNodeParams eventRecord, eventWait; struct hipMemAllocNodeParams alloc; struct hipConditionalNodeParams conditional; };
  long long reserved2; };
typedef struct hipGraphExecUpdateResultInfo_st { enum hipGraphExecUpdateResult result; hipGraphNode_t errorNode, errorFromNode; } hipGraphExecUpdateResultInfo;
typedef struct hipGraphInstantiateParams_st { unsigned long long flags; hipStream_t uploadStream; hipGraphNode_t errNode_out; enum hipGraphInstantiateResult result_out; } hipGraphInstantiateParams;
struct hipExternalMemoryHandleDesc { enum hipExternalMemoryHandleType type; union { int fd; struct { void* handle; const void* name; } win32; const void* nvSciBufObject; } handle; unsigned long long size; unsigned int flags; };
struct hipExternalMemoryBufferDesc { unsigned long long offset, size; unsigned int flags; };
struct hipExternalSemaphoreHandleDesc { enum hipExternalSemaphoreHandleType type; union { int fd; struct { void* handle; const void* name; } win32; } handle; unsigned int flags; };
struct hipExternalSemaphoreSignalParams { struct { struct { unsigned long long value; } fence; } params; unsigned int flags; };
struct hipExternalSemaphoreWaitParams { struct { struct { unsigned long long value; } fence; } params; unsigned int flags; };

struct hipDeviceProp_t {
  char name[256]; char gcnArchName[256]; int gcnArch, clockInstructionRate, isLargeBar, asicRevision; hipUUID_t uuid; char luid[8]; unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock; int regsPerBlock, warpSize; size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate; size_t totalConstMem; int major, minor;
  size_t textureAlignment, texturePitchAlignment; int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3];
  size_t surfaceAlignment; int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing;
  int memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  int globalL1CacheSupported, localL1CacheSupported; size_t sharedMemPerMultiprocessor; int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
  int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
  int canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch; size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize; size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported, memoryPoolsSupported;
  int gpuDirectRDMASupported; unsigned int gpuDirectRDMAFlushWritesOptions; int gpuDirectRDMAWritesOrdering; unsigned int memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers; };
#ifndef __cplusplus
typedef struct hipDeviceProp_t hipDeviceProp_t;
#endif
#define hipErrorMemoryAllocation hipErrorOutOfMemory
#define hipErrorInitializationError hipErrorNotInitialized
#define hipErrorInvalidResourceHandle hipErrorInvalidHandle
#define hipEventReleaseToDevice 0x40000000
#define hipEventReleaseToSystem 0x80000000
#define hipEventDisableSystemFence 0x20000000
#define hipHostMallocDefault 0x0
#define hipHostMallocPortable 0x1
#define hipHostMallocMapped 0x2
#define hipHostMallocWriteCombined 0x4
#define hipHostMallocNumaUser 0x20000000
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocNonCoherent 0x80000000
#define hipDeviceMallocDefault 0x0
#define hipDeviceMallocFinegrained 0x1
#define hipDeviceMallocUncached 0x3
#define hipMallocSignalMemory 0x2
#define hipExtHostRegisterCoarseGrained 0x8
typedef int hipDevice_t;
typedef struct ihipCtx_t* hipCtx_t;
typedef struct ihipModule_t* hipModule_t;
typedef void* hipDeviceptr_t;
typedef struct ihipMemGenericAllocationHandle* hipMemGenericAllocationHandle_t;
typedef enum hipMemAllocationGranularity_flags { hipMemAllocationGranularityMinimum, hipMemAllocationGranularityRecommended } hipMemAllocationGranularity_flags;
typedef struct hipMemAllocationProp { enum hipMemAllocationType type; enum hipMemAllocationHandleType requestedHandleType; struct hipMemLocation location; void* win32HandleMetaData; struct { unsigned char compressionType, gpuDirectRDMACapable; unsigned short usage; } allocFlags; } hipMemAllocationProp;
typedef enum hipJitOption { hipJitOptionMaxRegisters, hipJitOptionOptimizationLevel } hipJitOption;
typedef enum hipDataType { HIP_R_32F, HIP_R_64F, HIP_R_16F, HIP_R_8I, HIP_C_32F, HIP_C_64F, HIP_R_16BF = 14, HIP_R_8F_E4M3_FNUZ = 1000, HIP_R_8F_E5M2_FNUZ } hipDataType;
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void*)0x01)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void*)0x02)
#define HIP_LAUNCH_PARAM_END ((void*)0x03)
