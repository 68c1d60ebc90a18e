// Parse-only stand-in for NCCL's nccl_device.h: teams, device communicators, sessions (names only).
#pragma once
#include "nccl.h"
#ifdef __cplusplus
typedef struct ncclCommProperties { size_t size; unsigned int magic, version; int rank, nRanks, cudaDev, nvmlDev; int deviceApiSupport, multimemSupport; int ginType, nLsaTeams, hostRmaSupport, railedGinType; } ncclCommProperties_t;
#define NCCL_COMM_PROPERTIES_INITIALIZER { sizeof(ncclCommProperties_t), 0, NCCL_VERSION_CODE }
typedef struct ncclTeam { int nRanks, rank, stride; } ncclTeam_t;
typedef struct ncclMultimemHandle { void* mcBasePtr; } ncclMultimemHandle_t;
typedef struct ncclLsaBarrierHandle { uint32_t bufHandle; int nBarriers; } ncclLsaBarrierHandle_t;
typedef struct ncclGinBarrierHandle { uint32_t signal0; } ncclGinBarrierHandle_t;
typedef uint32_t ncclDevResourceHandle;
typedef uint32_t ncclGinSignal_t;
typedef uint32_t ncclGinCounter_t;
typedef struct ncclDevResourceRequirements { struct ncclDevResourceRequirements* next; size_t bufferSize, bufferAlign; ncclDevResourceHandle* outBufferHandle; int ginSignalCount, ginCounterCount; } ncclDevResourceRequirements_t;
typedef struct ncclTeamRequirements { struct ncclTeamRequirements* next; ncclTeam_t team; bool multimem; ncclMultimemHandle* outMultimemHandle; } ncclTeamRequirements_t;
typedef struct ncclDevCommRequirements { size_t size; unsigned magic, version; ncclDevResourceRequirements* resourceRequirementsList; ncclTeamRequirements* teamRequirementsList; bool lsaMultimem; int barrierCount, lsaBarrierCount, railGinBarrierCount, lsaLLA2ABlockCount, lsaLLA2ASlotCount; bool ginForceEnable; int ginContextCount, ginSignalCount, ginCounterCount; } ncclDevCommRequirements_t;
#define NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER { sizeof(ncclDevCommRequirements), 0, NCCL_VERSION_CODE }
typedef struct ncclDevComm { int rank, nRanks; uint32_t nRanks_rcp32; int lsaRank, lsaSize; uint32_t lsaSize_rcp32; ncclWindow_t windowTable; ncclWindow_t resourceWindow; ncclMultimemHandle lsaMultimem; ncclLsaBarrierHandle lsaBarrier; int ginContextCount, ginSignalCount; } ncclDevComm_t;
extern "C" {
ncclResult_t ncclDevCommCreate(ncclComm_t, ncclDevCommRequirements_t const*, ncclDevComm_t*); ncclResult_t ncclCommQueryProperties(ncclComm_t comm, ncclCommProperties_t* props); ncclResult_t ncclDevCommDestroy(ncclComm_t, ncclDevComm_t const*);
ncclTeam_t ncclTeamWorld(ncclComm_t); ncclTeam_t ncclTeamLsa(ncclComm_t); ncclTeam_t ncclTeamRail(ncclComm_t); int ncclTeamRankToWorld(ncclComm_t, ncclTeam_t, int); int ncclTeamRankToLsa(ncclComm_t, ncclTeam_t, int);
ncclResult_t ncclGetLsaMultimemDevicePointer(ncclWindow_t, size_t, void**); ncclResult_t ncclGetMultimemDevicePointer(ncclWindow_t, size_t, ncclMultimemHandle, void**); ncclResult_t ncclGetLsaDevicePointer(ncclWindow_t, size_t, int, void**); ncclResult_t ncclGetPeerDevicePointer(ncclWindow_t, size_t, int, void**);
int ncclLsaBarrierCreateRequirement(ncclTeam_t, int, ncclLsaBarrierHandle_t*, ncclDevResourceRequirements_t*); int ncclGinBarrierCreateRequirement(ncclComm_t, ncclTeam_t, int, ncclGinBarrierHandle_t*, ncclDevResourceRequirements_t*);
}
struct ncclTeamTagWorld {}; struct ncclTeamTagLsa {}; struct ncclTeamTagRail {};
struct ncclCoopThread { int thread_rank() const; int size() const; int num_threads() const; void sync(); };
struct ncclCoopWarp : ncclCoopThread {}; struct ncclCoopCta : ncclCoopThread {};
ncclTeam_t ncclTeamWorld(ncclDevComm const&); ncclTeam_t ncclTeamLsa(ncclDevComm const&); ncclTeam_t ncclTeamRail(ncclDevComm const&);
void* ncclGetLocalPointer(ncclWindow_t, size_t); void* ncclGetLsaPointer(ncclWindow_t, size_t, int); void* ncclGetPeerPointer(ncclWindow_t, size_t, int); void* ncclGetPeerPointer(ncclWindow_t, size_t, ncclTeam_t, int); void* ncclGetLsaMultimemPointer(ncclWindow_t, size_t, ncclDevComm const&);
template <class Coop> struct ncclLsaBarrierSession { template <class... A> ncclLsaBarrierSession(A&&...); template <class... A> void arrive(A&&...); template <class... A> void wait(A&&...); template <class... A> void sync(A&&...); };
template <class Coop> struct ncclGinBarrierSession { template <class... A> ncclGinBarrierSession(A&&...); template <class... A> void sync(A&&...); };
template <class Coop> struct ncclBarrierSession { template <class... A> ncclBarrierSession(A&&...); template <class... A> void sync(A&&...); };
struct ncclGin_None {}; struct ncclGin_SignalInc { ncclGinSignal_t signal; }; struct ncclGin_CounterInc { ncclGinCounter_t counter; };
struct ncclGin { template <class... A> ncclGin(A&&...); template <class... A> void put(A&&...); template <class... A> void signal(A&&...); template <class... A> void flush(A&&...); template <class... A> void waitSignal(A&&...); template <class... A> void resetSignal(A&&...); template <class... A> uint64_t readSignal(A&&...); template <class... A> void waitCounter(A&&...); };
#endif
