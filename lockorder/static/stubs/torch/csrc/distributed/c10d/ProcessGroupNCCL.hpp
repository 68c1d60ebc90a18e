// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/NCCLUtils.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/core/Stream.h>
#include <c10/core/StreamGuard.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/custom_class.h>
#include <deque>
#include <future>
#include <iostream>
#include <list>
#include <set>
#include <thread>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>
namespace c10d {
constexpr const char* NCCL_BACKEND_NAME = "nccl"; constexpr const char* EXCEPTION_DUMP = "exception_dump"; constexpr const char* TIMEOUT_DUMP = "timeout_dump"; constexpr auto kProcessGroupNCCLDefaultTimeout = std::chrono::milliseconds(10 * 60 * 1000); constexpr const int kWorkStatusUpdatePeriodMs = 30 * 1000;
enum ErrorHandlingMode { NoHandling = 0, TearDown = 1, CleanUpOnly = 2, SkipCleanUp = 3 };
#define SHOULD_CLEAN_UP(a) ((a) != NoHandling && (a) != SkipCleanUp)
#define SHOULD_TEAR_DOWN(a) ((a) != NoHandling && (a) != CleanUpOnly)
#define PRINT_COLLECTIVE_HASH_SIGNATURE(phase, opType, numel, hashValue) ((void)0)
struct ProcessGroupStatus { int64_t lastEnqueuedSeq{-1}, lastStartedSeq{-1}, lastCompletedSeq{-1}; std::string lastEnqueuedWorkName, lastStartedWorkName, lastCompletedWorkName; };
struct DumpPipe { DumpPipe(int rank); bool shouldDump(); };
class ProcessGroupNCCL : public Backend {
 public:
  class WorkNCCL : public Work, public std::enable_shared_from_this<WorkNCCL> {
   public:
    template <class... A> WorkNCCL(const std::string& pgUID, A&&... args) {} WorkNCCL(const WorkNCCL& w); virtual ~WorkNCCL(); bool isStarted(); bool isCompleted() override; bool isSuccess() const override; bool wait(std::chrono::milliseconds timeout = kNoTimeout) override; void abort() override; void synchronize() override; void synchronizeStream(); void synchronizeInternal(std::chrono::milliseconds timeout); void handleException(ErrorHandlingMode asyncErrorHandling); bool finishedGPUExecution(); c10::intrusive_ptr<c10::ivalue::Future> getFuture() override; c10::intrusive_ptr<c10::ivalue::Future> getFutureResult() override; float getDuration() const override; uint64_t getSequencenumber() const override; const std::string& logPrefix() const; void setException(std::exception_ptr exception_ptr); bool checkTimeout(c10::optional<std::chrono::milliseconds> timeout = {}); void printTraceback() const; std::vector<at::Tensor> result() override;
   protected:
    virtual std::exception_ptr checkForNCCLErrors(); void checkAndSetException(); bool startedGPUExecutionInternal() const; bool finishedGPUExecutionInternal() const;
    std::string pgUID_, pgDesc_; at::Device device_; std::shared_ptr<at::cuda::CUDAEvent> ncclStartEvent_, ncclEndEvent_; std::shared_ptr<NCCLComm> ncclComm_; bool blockingWait_{false}; std::chrono::milliseconds opTimeout_{}; std::chrono::time_point<std::chrono::steady_clock> workStartTime_; uint64_t seq_; bool isP2P_; bool startTraceUpdated_{false}; c10::intrusive_ptr<Store> store_; std::shared_ptr<std::vector<at::Tensor>> outputs_; c10::intrusive_ptr<c10::ivalue::Future> future_; friend class ProcessGroupNCCL;
  };
  class CUDAEventCache { public: CUDAEventCache(); std::shared_ptr<at::cuda::CUDAEvent> create(bool timing); static CUDAEventCache& get(at::DeviceIndex device); };
  struct Options : Backend::Options { explicit Options(bool is_high_priority_stream = false); static c10::intrusive_ptr<Options> create(bool is_high_priority_stream = false); bool is_high_priority_stream; ncclConfig_t config; std::shared_ptr<ProcessGroupNCCL> split_from; int split_color; };
  ProcessGroupNCCL(c10::intrusive_ptr<Store> store, int rank, int size, c10::intrusive_ptr<Options> options = Options::create()); virtual ~ProcessGroupNCCL();
  uint64_t getUid(); c10::intrusive_ptr<Options> getOptions(); const std::string getBackendName() const override; bool supportsSplitting() const override; void startCoalescing() override; c10::intrusive_ptr<Work> endCoalescing() override; c10::intrusive_ptr<Work> endCoalescing(OpType optype);
  c10::intrusive_ptr<Work> broadcast(std::vector<at::Tensor>& tensors, const BroadcastOptions& opts = BroadcastOptions()) override; c10::intrusive_ptr<Work> allreduce(std::vector<at::Tensor>& tensors, const AllreduceOptions& opts = AllreduceOptions()) override; c10::intrusive_ptr<Work> allreduce_coalesced(std::vector<at::Tensor>& tensors, const AllreduceCoalescedOptions& opts = AllreduceCoalescedOptions()) override; c10::intrusive_ptr<Work> reduce(std::vector<at::Tensor>& tensors, const ReduceOptions& opts = ReduceOptions()) override; c10::intrusive_ptr<Work> allgather(std::vector<std::vector<at::Tensor>>& outputTensors, std::vector<at::Tensor>& inputTensors, const AllgatherOptions& opts = AllgatherOptions()) override; c10::intrusive_ptr<Work> _allgather_base(at::Tensor& outputBuffer, at::Tensor& inputBuffer, const AllgatherOptions& opts = AllgatherOptions()) override; c10::intrusive_ptr<Work> allgather_coalesced(std::vector<std::vector<at::Tensor>>& outputTensorLists, std::vector<at::Tensor>& inputTensors, const AllgatherOptions& opts = AllgatherOptions()) override; c10::intrusive_ptr<Work> allgather_into_tensor_coalesced(std::vector<at::Tensor>& outputs, std::vector<at::Tensor>& inputs, const AllgatherOptions& opts = AllgatherOptions()) override; c10::intrusive_ptr<Work> gather(std::vector<std::vector<at::Tensor>>& outputTensors, std::vector<at::Tensor>& inputTensors, const GatherOptions& opts = GatherOptions()) override; c10::intrusive_ptr<Work> scatter(std::vector<at::Tensor>& outputTensors, std::vector<std::vector<at::Tensor>>& inputTensors, const ScatterOptions& opts = ScatterOptions()) override; c10::intrusive_ptr<Work> reduce_scatter(std::vector<at::Tensor>& outputTensors, std::vector<std::vector<at::Tensor>>& inputTensors, const ReduceScatterOptions& opts = ReduceScatterOptions()) override; c10::intrusive_ptr<Work> _reduce_scatter_base(at::Tensor& outputTensor, at::Tensor& inputTensor, const ReduceScatterOptions& opts = ReduceScatterOptions()) override; c10::intrusive_ptr<Work> reduce_scatter_tensor_coalesced(std::vector<at::Tensor>& outputs, std::vector<at::Tensor>& inputs, const ReduceScatterOptions& opts = ReduceScatterOptions()) override; c10::intrusive_ptr<Work> alltoall_base(at::Tensor& outputTensor, at::Tensor& inputTensor, std::vector<int64_t>& outputSplitSizes, std::vector<int64_t>& inputSplitSizes, const AllToAllOptions& opts = AllToAllOptions()) override; c10::intrusive_ptr<Work> alltoall(std::vector<at::Tensor>& outputTensors, std::vector<at::Tensor>& inputTensors, const AllToAllOptions& opts = AllToAllOptions()) override; c10::intrusive_ptr<Work> send(std::vector<at::Tensor>& tensors, int dstRank, int tag) override; c10::intrusive_ptr<Work> recv(std::vector<at::Tensor>& tensors, int srcRank, int tag) override; c10::intrusive_ptr<Work> recvAnysource(std::vector<at::Tensor>& tensors, int tag) override; c10::intrusive_ptr<Work> barrier(const BarrierOptions& opts = BarrierOptions()) override; c10::intrusive_ptr<Work> allreduce_sparse(std::vector<at::Tensor>& tensors, const AllreduceOptions& opts = AllreduceOptions()) override;
  void groupStart(); void groupEnd(); void groupEndNonblocking(const std::shared_ptr<NCCLComm>& comm); void setSequenceNumberForGroup() override; uint64_t getSequenceNumberForGroup() override; uint64_t getCommSplitCounter() const; void registerOnCompletionHook(std::function<void(std::shared_ptr<WorkInfo>)>&& hook) override; void waitForPendingWorks() override; void enableCollectivesTiming() override; void shutdown() override; void abort() override; bool abort(c10::optional<std::string> abortReason); void eagerConnectSingleDevice(at::Device device) override; bool isInitialized();
 protected:
  template <class F, class... A> c10::intrusive_ptr<Work> collective(at::Tensor& input, at::Tensor& output, F fn, A&&... args) { return {}; } template <class F, class... A> c10::intrusive_ptr<Work> collective(std::vector<at::Tensor>& inputs, std::vector<at::Tensor>& outputs, F fn, A&&... args) { return {}; } template <class F, class... A> c10::intrusive_ptr<Work> pointToPoint(at::Tensor& tensor, F fn, A&&... args) { return {}; }
  void broadcastUniqueNCCLID(ncclUniqueId* ncclID, bool isSingleP2POp, const std::string& devicesKey, int p2pRank); std::shared_ptr<NCCLComm> getNCCLComm(const std::string& deviceKey); bool abortComms(const c10::optional<std::string>& abortReason = {}); bool dumpDebuggingInfo(bool includeStackTrace = true); void ncclCommWatchdog(); void watchdogHandler(); void runHookLoop(); void destroyNCCLComms(const std::string& devNCCLCommMapKey); std::string createLogPrefix() const; const std::string& logPrefix() const; virtual void heartbeatMonitor(); virtual void terminateProcess(const std::string& errMsg); void broadcastDumpSignal(); void workEnqueue(const c10::intrusive_ptr<ProcessGroupNCCL::WorkNCCL>&); void abortCommsFromMap(std::unordered_map<std::string, std::shared_ptr<NCCLComm>>& ncclCommsMap, const c10::optional<std::string>& abortReason);
  c10::intrusive_ptr<Store> store_, globalStore_; const c10::intrusive_ptr<Options> options_; std::unordered_map<std::string, std::shared_ptr<NCCLComm>> devNCCLCommMap_, inInitializationCommMap_; std::mutex mutex_, mtxTimeoutExtension_, workMetaListMutex_, monitorMutex_, completedWorkListMutex_; std::condition_variable workMetaListCV_, monitorWakeUpCV_, completedWorkListCV_; std::thread ncclHeartbeatMonitorThread_, ncclCommWatchdogThread_, onCompletionHookThread_; std::atomic<bool> terminateProcessGroup_, terminateHeartbeatMonitorThread_, hasPendingHooks_, enableTiming_; std::list<WorkNCCL> workMetaList_, completedWorkList_; std::unordered_map<std::string, at::cuda::CUDAStream> ncclStreams_; std::unordered_map<std::string, at::cuda::CUDAEvent> ncclEvents_; bool blockingWait_; ErrorHandlingMode asyncErrorHandling_; uint64_t seqCollective_, seqP2P_, op_id_; int coalescing_state_; std::shared_ptr<NCCLComm> coalescedComm_; std::shared_ptr<ProcessGroupStatus> pgStatus_;
};
std::string dump_nccl_trace(bool includeCollectives, bool includeStackTraces, bool onlyActive); typedef bool (*gil_checker_t)(); gil_checker_t& get_gil_checker();
}
