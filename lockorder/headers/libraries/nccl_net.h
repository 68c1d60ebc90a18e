// Parse-only stand-in for NCCL's nccl_net.h (minimal plug-in view).
#pragma once
#include "nccl.h"
#define NCCL_NET_HANDLE_MAXSIZE 128
#define NCCL_PTR_HOST 0x1
#define NCCL_PTR_CUDA 0x2
#define NCCL_PTR_DMABUF 0x4
#define NCCL_NET_MAX_REQUESTS 32
typedef enum { NCCL_LOG_NONE, NCCL_LOG_VERSION, NCCL_LOG_WARN, NCCL_LOG_INFO, NCCL_LOG_ABORT, NCCL_LOG_TRACE } ncclDebugLogLevel;
typedef enum { NCCL_INIT = 0x1, NCCL_COLL = 0x2, NCCL_P2P = 0x4, NCCL_SHM = 0x8, NCCL_NET = 0x10, NCCL_GRAPH = 0x20, NCCL_TUNING = 0x40, NCCL_ENV = 0x80, NCCL_ALLOC = 0x100, NCCL_CALL = 0x200, NCCL_PROXY = 0x400, NCCL_NVLS = 0x800, NCCL_BOOTSTRAP = 0x1000, NCCL_REG = 0x2000, NCCL_PROFILE = 0x4000, NCCL_RAS = 0x8000, NCCL_ALL = ~0 } ncclDebugLogSubSys;
typedef void (*ncclDebugLogger_t)(ncclDebugLogLevel level, unsigned long flags, const char* file, int line, const char* fmt, ...);
typedef ncclResult_t (*ncclProfilerCallback_t)(void** eHandle, int type, void* phandle, int64_t pluginId, void* extData);
typedef struct { char* name; char* pciPath; uint64_t guid; int ptrSupport, regIsGlobal, forceFlush, speed, port; float latency; int maxComms, maxRecvs; int netDeviceType, netDeviceVersion; size_t maxP2pBytes, maxCollBytes; int maxMultiRequestSize; } ncclNetProperties_v11_t;
typedef ncclNetProperties_v11_t ncclNetProperties_t, ncclNetProperties_v10_t, ncclNetProperties_v9_t, ncclNetProperties_v8_t, ncclNetProperties_v7_t, ncclNetProperties_v6_t;
typedef struct { int trafficClass; } ncclNetCommConfig_t;
typedef struct {
  const char* name; ncclResult_t (*init)(void** ctx, uint64_t commId, ncclNetCommConfig_t* config, ncclDebugLogger_t logFunction, ncclProfilerCallback_t profFunction); ncclResult_t (*devices)(int* ndev); ncclResult_t (*getProperties)(int dev, ncclNetProperties_t* props);
  ncclResult_t (*listen)(void* ctx, int dev, void* handle, void** listenComm); ncclResult_t (*connect)(void* ctx, int dev, void* handle, void** sendComm, void** sendDevComm); ncclResult_t (*accept)(void* listenComm, void** recvComm, void** recvDevComm);
  ncclResult_t (*regMr)(void* comm, void* data, size_t size, int type, void** mhandle); ncclResult_t (*regMrDmaBuf)(void* comm, void* data, size_t size, int type, uint64_t offset, int fd, void** mhandle); ncclResult_t (*deregMr)(void* comm, void* mhandle);
  ncclResult_t (*isend)(void* sendComm, void* data, size_t size, int tag, void* mhandle, void* phandle, void** request); ncclResult_t (*irecv)(void* recvComm, int n, void** data, size_t* sizes, int* tags, void** mhandles, void** phandles, void** request); ncclResult_t (*iflush)(void* recvComm, int n, void** data, int* sizes, void** mhandles, void** request); ncclResult_t (*test)(void* request, int* done, int* sizes);
  ncclResult_t (*closeSend)(void* sendComm); ncclResult_t (*closeRecv)(void* recvComm); ncclResult_t (*closeListen)(void* listenComm); ncclResult_t (*finalize)(void* ctx);
} ncclNet_v11_t;
typedef ncclNet_v11_t ncclNet_t;
