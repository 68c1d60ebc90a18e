// Parse-only stand-in for HIP's hip_runtime_api.h: the runtime API's C functions.
#pragma once
#include "driver_types.h"
#include "hip_version.h"
#ifdef __cplusplus
#define LOSTUB_HDV(v) = v
extern "C" {
#else
#define LOSTUB_HDV(v)
#endif
// errors, version
hipError_t hipGetLastError(void); hipError_t hipPeekAtLastError(void);
const char* hipGetErrorName(hipError_t error); const char* hipGetErrorString(hipError_t error);
hipError_t hipDriverGetVersion(int* driverVersion); hipError_t hipRuntimeGetVersion(int* runtimeVersion);
// devices
hipError_t hipGetDeviceCount(int* count); hipError_t hipGetDevice(int* device); hipError_t hipSetDevice(int device);
hipError_t hipGetDeviceProperties(struct hipDeviceProp_t* prop, int device); hipError_t hipGetDeviceProperties_v2(struct hipDeviceProp_t* prop, int device);
hipError_t hipDeviceGetAttribute(int* value, enum hipDeviceAttribute_t attr, int device);
hipError_t hipChooseDevice(int* device, const struct hipDeviceProp_t* prop); hipError_t hipInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
hipError_t hipSetValidDevices(int* devices, int len); hipError_t hipSetDeviceFlags(unsigned int flags); hipError_t hipGetDeviceFlags(unsigned int* flags);
hipError_t hipDeviceReset(void); hipError_t hipDeviceSynchronize(void); hipError_t hipThreadSynchronize(void); hipError_t hipThreadExit(void);
hipError_t hipDeviceSetLimit(enum hipLimit limit, size_t value); hipError_t hipDeviceGetLimit(size_t* value, enum hipLimit limit);
hipError_t hipDeviceGetCacheConfig(enum hipFuncCache* config); hipError_t hipDeviceSetCacheConfig(enum hipFuncCache config);
hipError_t hipDeviceGetSharedMemConfig(enum hipSharedMemConfig* config); hipError_t hipDeviceSetSharedMemConfig(enum hipSharedMemConfig config);
hipError_t hipDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority);
hipError_t hipDeviceGetByPCIBusId(int* device, const char* pciBusId); hipError_t hipDeviceGetPCIBusId(char* pciBusId, int len, int device);
hipError_t hipDeviceGetP2PAttribute(int* value, enum hipDeviceP2PAttr attr, int srcDevice, int dstDevice);
hipError_t hipDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice);
hipError_t hipDeviceEnablePeerAccess(int peerDevice, unsigned int flags); hipError_t hipDeviceDisablePeerAccess(int peerDevice);
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* memPool, int device); hipError_t hipDeviceSetMemPool(int device, hipMemPool_t memPool); hipError_t hipDeviceGetMemPool(hipMemPool_t* memPool, int device);
hipError_t hipDeviceFlushGPUDirectRDMAWrites(enum hipFlushGPUDirectRDMAWritesTarget target, enum hipFlushGPUDirectRDMAWritesScope scope);
hipError_t hipDeviceGraphMemTrim(int device); hipError_t hipDeviceGetGraphMemAttribute(int device, enum hipGraphMemAttributeType attr, void* value); hipError_t hipDeviceSetGraphMemAttribute(int device, enum hipGraphMemAttributeType attr, void* value);
hipError_t hipCtxResetPersistingL2Cache(void);
// streams
hipError_t hipStreamCreate(hipStream_t* pStream); hipError_t hipStreamCreateWithFlags(hipStream_t* pStream, unsigned int flags);
hipError_t hipStreamCreateWithPriority(hipStream_t* pStream, unsigned int flags, int priority);
hipError_t hipStreamDestroy(hipStream_t stream); hipError_t hipStreamSynchronize(hipStream_t stream); hipError_t hipStreamQuery(hipStream_t stream);
hipError_t hipStreamGetPriority(hipStream_t hStream, int* priority); hipError_t hipStreamGetFlags(hipStream_t hStream, unsigned int* flags);
hipError_t hipStreamGetId(hipStream_t hStream, unsigned long long* streamId); hipError_t hipStreamGetDevice(hipStream_t hStream, int* device);
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags LOSTUB_HDV(0));
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* userData, unsigned int flags);
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* devPtr, size_t length LOSTUB_HDV(0), unsigned int flags LOSTUB_HDV(hipMemAttachSingle));
hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src);
hipError_t hipStreamGetAttribute(hipStream_t hStream, hipLaunchAttributeID attr, hipLaunchAttributeValue* value_out); hipError_t hipStreamSetAttribute(hipStream_t hStream, hipLaunchAttributeID attr, const hipLaunchAttributeValue* value);
hipError_t hipStreamBeginCapture(hipStream_t stream, enum hipStreamCaptureMode mode); hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* pGraph);
hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph, const hipGraphNode_t* dependencies, const hipGraphEdgeData* dependencyData, size_t numDependencies, enum hipStreamCaptureMode mode);
hipError_t hipThreadExchangeStreamCaptureMode(enum hipStreamCaptureMode* mode); hipError_t hipStreamIsCapturing(hipStream_t stream, enum hipStreamCaptureStatus* pCaptureStatus);
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, enum hipStreamCaptureStatus* captureStatus_out, unsigned long long* id_out);
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, enum hipStreamCaptureStatus* captureStatus_out, unsigned long long* id_out LOSTUB_HDV(0), hipGraph_t* graph_out LOSTUB_HDV(0), const hipGraphNode_t** dependencies_out LOSTUB_HDV(0), size_t* numDependencies_out LOSTUB_HDV(0));
hipError_t hipStreamGetCaptureInfo_v3(hipStream_t stream, enum hipStreamCaptureStatus* captureStatus_out, unsigned long long* id_out LOSTUB_HDV(0), hipGraph_t* graph_out LOSTUB_HDV(0), const hipGraphNode_t** dependencies_out LOSTUB_HDV(0), const hipGraphEdgeData** edgeData_out LOSTUB_HDV(0), size_t* numDependencies_out LOSTUB_HDV(0));
hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* dependencies, size_t numDependencies, unsigned int flags LOSTUB_HDV(0));
hipError_t hipStreamUpdateCaptureDependencies_v2(hipStream_t stream, hipGraphNode_t* dependencies, const hipGraphEdgeData* dependencyData, size_t numDependencies, unsigned int flags LOSTUB_HDV(0));
// events
hipError_t hipEventCreate(hipEvent_t* event); hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned int flags);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream LOSTUB_HDV(0)); hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream LOSTUB_HDV(0), unsigned int flags LOSTUB_HDV(0));
hipError_t hipEventQuery(hipEvent_t event); hipError_t hipEventSynchronize(hipEvent_t event); hipError_t hipEventDestroy(hipEvent_t event);
hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t end); hipError_t hipEventElapsedTime_v2(float* ms, hipEvent_t start, hipEvent_t end);
// IPC
hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t event); hipError_t hipIpcOpenEventHandle(hipEvent_t* event, hipIpcEventHandle_t handle);
hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* devPtr); hipError_t hipIpcOpenMemHandle(void** devPtr, hipIpcMemHandle_t handle, unsigned int flags); hipError_t hipIpcCloseMemHandle(void* devPtr);
// external memory and semaphores
hipError_t hipImportExternalMemory(hipExternalMemory_t* extMem_out, const struct hipExternalMemoryHandleDesc* memHandleDesc); hipError_t hipExternalMemoryGetMappedBuffer(void** devPtr, hipExternalMemory_t extMem, const struct hipExternalMemoryBufferDesc* bufferDesc); hipError_t hipDestroyExternalMemory(hipExternalMemory_t extMem);
hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t* extSem_out, const struct hipExternalSemaphoreHandleDesc* semHandleDesc); hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t extSem);
hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t* extSemArray, const struct hipExternalSemaphoreSignalParams* paramsArray, unsigned int numExtSems, hipStream_t stream LOSTUB_HDV(0)); hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t* extSemArray, const struct hipExternalSemaphoreWaitParams* paramsArray, unsigned int numExtSems, hipStream_t stream LOSTUB_HDV(0));
// launches, functions, occupancy
hipError_t hipLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem, hipStream_t stream); hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* func, void** args);
hipError_t hipLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem, hipStream_t stream); hipError_t hipLaunchCooperativeKernelMultiDevice(struct hipLaunchParams* launchParamsList, unsigned int numDevices, unsigned int flags LOSTUB_HDV(0));
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* userData); hipError_t hipLaunchHostFunc_v2(hipStream_t stream, hipHostFn_t fn, void* userData, unsigned int syncMode);
hipError_t hipFuncSetCacheConfig(const void* func, enum hipFuncCache cacheConfig); hipError_t hipFuncSetSharedMemConfig(const void* func, enum hipSharedMemConfig config);
hipError_t hipFuncGetAttributes(struct hipFuncAttributes* attr, const void* func); hipError_t hipFuncSetAttribute(const void* func, enum hipFuncAttribute attr, int value); hipError_t hipFuncGetName(const char** name, const void* func);
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func, int blockSize, size_t dynamicSMemSize); hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func, int blockSize, size_t dynamicSMemSize, unsigned int flags);
hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func, int numBlocks, int blockSize); hipError_t hipOccupancyMaxPotentialClusterSize(int* clusterSize, const void* func, const hipLaunchConfig_t* launchConfig); hipError_t hipOccupancyMaxActiveClusters(int* numClusters, const void* func, const hipLaunchConfig_t* launchConfig);
// memory
hipError_t hipMalloc(void** devPtr, size_t size); hipError_t hipMallocHost(void** ptr, size_t size); hipError_t hipMallocManaged(void** devPtr, size_t size, unsigned int flags LOSTUB_HDV(hipMemAttachGlobal));
hipError_t hipMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height); hipError_t hipMalloc3D(struct hipPitchedPtr* pitchedDevPtr, struct hipExtent extent);
hipError_t hipMallocArray(hipArray_t* array, const struct hipChannelFormatDesc* desc, size_t width, size_t height LOSTUB_HDV(0), unsigned int flags LOSTUB_HDV(0)); hipError_t hipMalloc3DArray(hipArray_t* array, const struct hipChannelFormatDesc* desc, struct hipExtent extent, unsigned int flags LOSTUB_HDV(0));
hipError_t hipFree(void* devPtr); hipError_t hipFreeHost(void* ptr); hipError_t hipFreeArray(hipArray_t array); hipError_t hipFreeMipmappedArray(hipMipmappedArray_t mipmappedArray); hipError_t hipMallocMipmappedArray(hipMipmappedArray_t* mipmappedArray, const struct hipChannelFormatDesc* desc, struct hipExtent extent, unsigned int numLevels, unsigned int flags LOSTUB_HDV(0));
hipError_t hipMemAllocHost(void** ptr, size_t size); hipError_t hipMemAllocPitch(hipDeviceptr_t* dptr, size_t* pitch, size_t widthInBytes, size_t height, unsigned int elementSizeBytes);
typedef struct HIP_ARRAY_DESCRIPTOR { size_t Width, Height; int Format; unsigned int NumChannels; } HIP_ARRAY_DESCRIPTOR; typedef struct HIP_ARRAY3D_DESCRIPTOR { size_t Width, Height, Depth; int Format; unsigned int NumChannels, Flags; } HIP_ARRAY3D_DESCRIPTOR;
hipError_t hipArrayCreate(hipArray_t* pHandle, const HIP_ARRAY_DESCRIPTOR* pAllocateArray); hipError_t hipArray3DCreate(hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* pAllocateArray); hipError_t hipArrayDestroy(hipArray_t array);
hipError_t hipHostAlloc(void** pHost, size_t size, unsigned int flags); hipError_t hipHostRegister(void* ptr, size_t size, unsigned int flags); hipError_t hipHostUnregister(void* ptr);
hipError_t hipHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags); hipError_t hipHostGetFlags(unsigned int* pFlags, void* pHost);
hipError_t hipMemGetInfo(size_t* free, size_t* total); hipError_t hipArrayGetInfo(struct hipChannelFormatDesc* desc, struct hipExtent* extent, unsigned int* flags, hipArray_t array);
hipError_t hipMemcpy(void* dst, const void* src, size_t count, enum hipMemcpyKind kind); hipError_t hipMemcpyAsync(void* dst, const void* src, size_t count, enum hipMemcpyKind kind, hipStream_t stream LOSTUB_HDV(0));
hipError_t hipMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count); hipError_t hipMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice, size_t count, hipStream_t stream LOSTUB_HDV(0));
hipError_t hipMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, enum hipMemcpyKind kind); hipError_t hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, enum hipMemcpyKind kind, hipStream_t stream LOSTUB_HDV(0));
hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t spitch, size_t width, size_t height, enum hipMemcpyKind kind); hipError_t hipMemcpy2DFromArray(void* dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset, size_t width, size_t height, enum hipMemcpyKind kind);
hipError_t hipMemcpy3D(const struct hipMemcpy3DParms* p); hipError_t hipMemcpy3DAsync(const struct hipMemcpy3DParms* p, hipStream_t stream LOSTUB_HDV(0)); hipError_t hipMemcpy3DPeer(const struct hipMemcpy3DPeerParms* p); hipError_t hipMemcpy3DPeerAsync(const struct hipMemcpy3DPeerParms* p, hipStream_t stream LOSTUB_HDV(0));
hipError_t hipMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset LOSTUB_HDV(0), enum hipMemcpyKind kind LOSTUB_HDV(hipMemcpyHostToDevice)); hipError_t hipMemcpyFromSymbol(void* dst, const void* symbol, size_t count, size_t offset LOSTUB_HDV(0), enum hipMemcpyKind kind LOSTUB_HDV(hipMemcpyDeviceToHost));
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset, enum hipMemcpyKind kind, hipStream_t stream LOSTUB_HDV(0)); hipError_t hipMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count, size_t offset, enum hipMemcpyKind kind, hipStream_t stream LOSTUB_HDV(0));
hipError_t hipMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizes, size_t count, struct hipMemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs, size_t* failIdx, hipStream_t stream);
hipError_t hipMemset(void* devPtr, int value, size_t count); hipError_t hipMemsetAsync(void* devPtr, int value, size_t count, hipStream_t stream LOSTUB_HDV(0));
hipError_t hipMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height); hipError_t hipMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width, size_t height, hipStream_t stream LOSTUB_HDV(0));
hipError_t hipMemset3D(struct hipPitchedPtr pitchedDevPtr, int value, struct hipExtent extent); hipError_t hipMemset3DAsync(struct hipPitchedPtr pitchedDevPtr, int value, struct hipExtent extent, hipStream_t stream LOSTUB_HDV(0));
hipError_t hipGetSymbolAddress(void** devPtr, const void* symbol); hipError_t hipGetSymbolSize(size_t* size, const void* symbol);
hipError_t hipMemPrefetchAsync(const void* devPtr, size_t count, int dstDevice, hipStream_t stream LOSTUB_HDV(0)); hipError_t hipMemPrefetchAsync_v2(const void* devPtr, size_t count, struct hipMemLocation location, unsigned int flags, hipStream_t stream LOSTUB_HDV(0));
hipError_t hipMemAdvise(const void* devPtr, size_t count, enum hipMemoryAdvise advice, int device); hipError_t hipMemAdvise_v2(const void* devPtr, size_t count, enum hipMemoryAdvise advice, struct hipMemLocation location);
hipError_t hipMemRangeGetAttribute(void* data, size_t dataSize, enum hipMemRangeAttribute attribute, const void* devPtr, size_t count); hipError_t hipPointerGetAttributes(struct hipPointerAttribute_t* attributes, const void* ptr);
// memory pools
hipError_t hipMallocAsync(void** devPtr, size_t size, hipStream_t hStream); hipError_t hipFreeAsync(void* devPtr, hipStream_t hStream); hipError_t hipMallocFromPoolAsync(void** ptr, size_t size, hipMemPool_t memPool, hipStream_t stream);
hipError_t hipMemPoolCreate(hipMemPool_t* memPool, const struct hipMemPoolProps* poolProps); hipError_t hipMemPoolDestroy(hipMemPool_t memPool); hipError_t hipMemPoolTrimTo(hipMemPool_t memPool, size_t minBytesToKeep);
hipError_t hipMemPoolSetAttribute(hipMemPool_t memPool, enum hipMemPoolAttr attr, void* value); hipError_t hipMemPoolGetAttribute(hipMemPool_t memPool, enum hipMemPoolAttr attr, void* value);
hipError_t hipMemPoolSetAccess(hipMemPool_t memPool, const struct hipMemAccessDesc* descList, size_t count); hipError_t hipMemPoolGetAccess(enum hipMemAccessFlags* flags, hipMemPool_t memPool, struct hipMemLocation* location);
hipError_t hipMemPoolExportToShareableHandle(void* shareableHandle, hipMemPool_t memPool, enum hipMemAllocationHandleType handleType, unsigned int flags); hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t* memPool, void* shareableHandle, enum hipMemAllocationHandleType handleType, unsigned int flags);
hipError_t hipMemPoolExportPointer(struct hipMemPoolPtrExportData* exportData, void* ptr); hipError_t hipMemPoolImportPointer(void** ptr, hipMemPool_t memPool, struct hipMemPoolPtrExportData* exportData);
// graphs
hipError_t hipGraphCreate(hipGraph_t* pGraph, unsigned int flags); hipError_t hipGraphDestroy(hipGraph_t graph); hipError_t hipGraphClone(hipGraph_t* pGraphClone, hipGraph_t originalGraph);
hipError_t hipGraphAddKernelNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, const struct hipKernelNodeParams* pNodeParams);
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, struct hipKernelNodeParams* pNodeParams); hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const struct hipKernelNodeParams* pNodeParams);
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t hDst, hipGraphNode_t hSrc); hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t hNode, hipLaunchAttributeID attr, hipLaunchAttributeValue* value_out); hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t hNode, hipLaunchAttributeID attr, const hipLaunchAttributeValue* value);
hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, const struct hipMemcpy3DParms* pCopyParams); hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, void* dst, const void* src, size_t count, enum hipMemcpyKind kind);
hipError_t hipGraphAddMemsetNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, const struct hipMemsetParams* pMemsetParams); hipError_t hipGraphAddHostNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, const struct hipHostNodeParams* pNodeParams);
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, hipGraph_t childGraph); hipError_t hipGraphAddEmptyNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies);
hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, hipEvent_t event); hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, hipEvent_t event);
hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, struct hipMemAllocNodeParams* nodeParams); hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, void* dptr);
hipError_t hipGraphAddNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, struct hipGraphNodeParams* nodeParams); hipError_t hipGraphAddNode_v2(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, const hipGraphEdgeData* dependencyData, size_t numDependencies, struct hipGraphNodeParams* nodeParams);
hipError_t hipGraphNodeSetParams(hipGraphNode_t node, struct hipGraphNodeParams* nodeParams); hipError_t hipGraphExecNodeSetParams(hipGraphExec_t graphExec, hipGraphNode_t node, struct hipGraphNodeParams* nodeParams); hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node, const struct hipKernelNodeParams* pNodeParams);
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, struct hipHostNodeParams* p); hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const struct hipHostNodeParams* p); hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, struct hipMemcpy3DParms* p); hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, struct hipMemsetParams* p); hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, struct hipMemAllocNodeParams* p); hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* dptr_out); hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* pGraph);
hipError_t hipGraphNodeFindInClone(hipGraphNode_t* pNode, hipGraphNode_t originalNode, hipGraph_t clonedGraph); hipError_t hipGraphNodeGetType(hipGraphNode_t node, enum hipGraphNodeType* pType); hipError_t hipGraphDestroyNode(hipGraphNode_t node);
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* numNodes); hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t* pRootNodes, size_t* pNumRootNodes); hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to, size_t* numEdges);
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t* pDependencies, size_t* pNumDependencies); hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t* pDependentNodes, size_t* pNumDependentNodes);
hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to, size_t numDependencies); hipError_t hipGraphAddDependencies_v2(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to, const hipGraphEdgeData* edgeData, size_t numDependencies); hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to, size_t numDependencies);
hipError_t hipGraphInstantiate(hipGraphExec_t* pGraphExec, hipGraph_t graph, unsigned long long flags LOSTUB_HDV(0)); hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* pGraphExec, hipGraph_t graph, unsigned long long flags LOSTUB_HDV(0)); hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* pGraphExec, hipGraph_t graph, hipGraphInstantiateParams* instantiateParams);
hipError_t hipGraphExecUpdate(hipGraphExec_t hGraphExec, hipGraph_t hGraph, hipGraphExecUpdateResultInfo* resultInfo); hipError_t hipGraphExecGetFlags(hipGraphExec_t graphExec, unsigned long long* flags); hipError_t hipGraphUpload(hipGraphExec_t graphExec, hipStream_t stream); hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream); hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec);
hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char* path, unsigned int flags); hipError_t hipGraphConditionalHandleCreate(hipGraphConditionalHandle* pHandle_out, hipGraph_t graph, unsigned int defaultLaunchValue LOSTUB_HDV(0), unsigned int flags LOSTUB_HDV(0));
hipError_t hipUserObjectCreate(hipUserObject_t* object_out, void* ptr, hipHostFn_t destroy, unsigned int initialRefcount, unsigned int flags); hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count LOSTUB_HDV(1)); hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count LOSTUB_HDV(1));
hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count LOSTUB_HDV(1), unsigned int flags LOSTUB_HDV(0)); hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count LOSTUB_HDV(1));
// driver entry points, libraries, profiler
hipError_t hipGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags, enum hipDriverEntryPointQueryResult* driverStatus LOSTUB_HDV(0)); hipError_t hipGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned int hipVersion, unsigned long long flags, enum hipDriverEntryPointQueryResult* driverStatus LOSTUB_HDV(0));
hipError_t hipGetFuncBySymbol(hipFunction_t* functionPtr, const void* symbolPtr); hipError_t hipGetKernel(hipKernel_t* kernelPtr, const void* entryFuncAddr); hipError_t hipGetExportTable(const void** ppExportTable, const hipUUID_t* pExportTableId);
hipError_t hipLibraryLoadData(hipLibrary_t* library, const void* code, void* jitOptions, void** jitOptionsValues, unsigned int numJitOptions, void* libraryOptions, void** libraryOptionValues, unsigned int numLibraryOptions); hipError_t hipLibraryLoadFromFile(hipLibrary_t* library, const char* fileName, void* jitOptions, void** jitOptionsValues, unsigned int numJitOptions, void* libraryOptions, void** libraryOptionValues, unsigned int numLibraryOptions); hipError_t hipLibraryUnload(hipLibrary_t library); hipError_t hipLibraryGetKernel(hipKernel_t* pKernel, hipLibrary_t library, const char* name);
hipError_t hipProfilerStart(void); hipError_t hipProfilerStop(void);
hipError_t hipInit(unsigned int flags); hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags); hipError_t hipHostFree(void* ptr); hipError_t hipExtMallocWithFlags(void** ptr, size_t size, unsigned int flags); hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t count, enum hipMemcpyKind kind, hipStream_t stream); hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t n); hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, void* src, size_t n); hipError_t hipMemcpyDtoH(void* dst, hipDeviceptr_t src, size_t n); hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, unsigned int n, const unsigned int* mask); hipError_t hipExtGetLinkTypeAndHopCount(int d1, int d2, unsigned int* linktype, unsigned int* hopcount);
hipError_t hipModuleLoad(hipModule_t* module, const char* fname); hipError_t hipModuleLoadData(hipModule_t* module, const void* image); hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int n, hipJitOption* options, void** values); hipError_t hipModuleUnload(hipModule_t module); hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name); hipError_t hipModuleGetGlobal(hipDeviceptr_t* dptr, size_t* bytes, hipModule_t hmod, const char* name); hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz, unsigned int sharedMemBytes, hipStream_t stream, void** kernelParams, void** extra); hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, hipFunction_t f, int blockSize, size_t dynSharedMemPerBlk); hipError_t hipExtLaunchKernel(const void* f, dim3 grid, dim3 block, void** args, size_t smem, hipStream_t stream, hipEvent_t start, hipEvent_t stop, int flags); hipError_t hipExtModuleLaunchKernel(hipFunction_t f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz, size_t smem, hipStream_t stream, void** params, void** extra, hipEvent_t start, hipEvent_t stop, unsigned int flags);
hipError_t hipCtxCreate(hipCtx_t* ctx, unsigned int flags, hipDevice_t device); hipError_t hipCtxDestroy(hipCtx_t ctx); hipError_t hipCtxSynchronize(void); hipError_t hipCtxEnablePeerAccess(hipCtx_t peerCtx, unsigned int flags); hipError_t hipCtxDisablePeerAccess(hipCtx_t peerCtx); hipError_t hipDevicePrimaryCtxRelease(hipDevice_t dev); hipError_t hipDevicePrimaryCtxReset(hipDevice_t dev); hipError_t hipCtxGetCurrent(hipCtx_t* ctx); hipError_t hipCtxSetCurrent(hipCtx_t ctx); hipError_t hipCtxGetDevice(hipDevice_t* device); hipError_t hipDeviceGet(hipDevice_t* device, int ordinal); hipError_t hipDeviceGetName(char* name, int len, hipDevice_t device); hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device); hipError_t hipDevicePrimaryCtxGetState(hipDevice_t dev, unsigned int* flags, int* active); hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* pctx, hipDevice_t dev); hipError_t hipDrvGetErrorString(hipError_t e, const char** s);
hipError_t hipMemGetAddressRange(hipDeviceptr_t* pbase, size_t* psize, hipDeviceptr_t dptr); hipError_t hipMemAddressReserve(void** ptr, size_t size, size_t alignment, void* addr, unsigned long long flags); hipError_t hipMemAddressFree(void* ptr, size_t size); hipError_t hipMemCreate(hipMemGenericAllocationHandle_t* handle, size_t size, const hipMemAllocationProp* prop, unsigned long long flags); hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle); hipError_t hipMemMap(void* ptr, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle, unsigned long long flags); hipError_t hipMemUnmap(void* ptr, size_t size); hipError_t hipMemSetAccess(void* ptr, size_t size, const struct hipMemAccessDesc* desc, size_t count); hipError_t hipMemExportToShareableHandle(void* sh, hipMemGenericAllocationHandle_t handle, enum hipMemAllocationHandleType t, unsigned long long flags); hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t* handle, void* os, enum hipMemAllocationHandleType t); hipError_t hipMemGetAllocationGranularity(size_t* g, const hipMemAllocationProp* prop, hipMemAllocationGranularity_flags option); hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t* handle, void* addr); hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp* prop, hipMemGenericAllocationHandle_t handle);
hipError_t hipStreamWaitValue32(hipStream_t s, void* ptr, uint32_t v, unsigned int flags, uint32_t mask LOSTUB_HDV(0)); hipError_t hipStreamWaitValue64(hipStream_t s, void* ptr, uint64_t v, unsigned int flags, uint64_t mask LOSTUB_HDV(0)); hipError_t hipStreamWriteValue32(hipStream_t s, void* ptr, uint32_t v, unsigned int flags); hipError_t hipStreamWriteValue64(hipStream_t s, void* ptr, uint64_t v, unsigned int flags); const char* hipKernelNameRef(hipFunction_t f); int hipGetStreamDeviceId(hipStream_t s);
#ifdef __cplusplus
}
// Names whose parameter list differs between CUDA versions: any argument list parses.
#define LOSTUB_HANY(f) template <class A, class... R> hipError_t f(A&& a, R&&... r);
LOSTUB_HANY(hipStreamGetCaptureInfo)
LOSTUB_HANY(hipStreamUpdateCaptureDependencies)
LOSTUB_HANY(hipGraphAddDependencies)
LOSTUB_HANY(hipGraphRemoveDependencies)
LOSTUB_HANY(hipGraphInstantiate)
LOSTUB_HANY(hipGraphExecUpdate)
LOSTUB_HANY(hipGraphGetEdges)
LOSTUB_HANY(hipGraphNodeGetDependencies)
LOSTUB_HANY(hipGraphNodeGetDependentNodes)
LOSTUB_HANY(hipGraphAddNode)
LOSTUB_HANY(hipMemPrefetchAsync)
LOSTUB_HANY(hipMemAdvise)
LOSTUB_HANY(hipMemcpyBatchAsync)
LOSTUB_HANY(hipGetDriverEntryPoint)
#undef LOSTUB_HANY
#endif
