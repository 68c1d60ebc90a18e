// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/Backend.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Types.hpp>
#include <torch/csrc/distributed/c10d/Utils.hpp>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <torch/csrc/distributed/c10d/debug.h>
#include <ATen/ATen.h>
#include <c10/macros/Macros.h>
#include <torch/custom_class.h>
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
constexpr auto kBackendDefaultTimeout = std::chrono::milliseconds(30 * 60 * 1000);
namespace c10d {
class Backend : public torch::CustomClassHolder {
 public:
  struct Options : torch::CustomClassHolder { explicit Options(std::string backend, std::chrono::milliseconds timeout = kBackendDefaultTimeout); virtual ~Options() = default; std::chrono::milliseconds timeout; const std::string backend; std::string group_name; std::vector<uint64_t> global_ranks_in_group; };
  explicit Backend(int rank, int size); virtual ~Backend() = 0;
  int getRank() const; int getSize() const; int64_t getID() const; virtual bool supportsSplitting() const; virtual bool supportsCoalescing() const; virtual void startCoalescing(); virtual c10::intrusive_ptr<Work> endCoalescing(); virtual const std::string getBackendName() const;
  virtual c10::intrusive_ptr<Work> broadcast(std::vector<at::Tensor>& tensors, const BroadcastOptions& opts = BroadcastOptions()); virtual c10::intrusive_ptr<Work> allreduce(std::vector<at::Tensor>& tensors, const AllreduceOptions& opts = AllreduceOptions()); virtual c10::intrusive_ptr<Work> allreduce_coalesced(std::vector<at::Tensor>& tensors, const AllreduceCoalescedOptions& opts = AllreduceCoalescedOptions()); virtual c10::intrusive_ptr<Work> reduce(std::vector<at::Tensor>& tensors, const ReduceOptions& opts = ReduceOptions()); virtual c10::intrusive_ptr<Work> allgather(std::vector<std::vector<at::Tensor>>& outputTensors, std::vector<at::Tensor>& inputTensors, const AllgatherOptions& opts = AllgatherOptions()); virtual c10::intrusive_ptr<Work> _allgather_base(at::Tensor& outputBuffer, at::Tensor& inputBuffer, const AllgatherOptions& opts = AllgatherOptions()); virtual c10::intrusive_ptr<Work> allgather_coalesced(std::vector<std::vector<at::Tensor>>& outputTensorLists, std::vector<at::Tensor>& inputTensors, const AllgatherOptions& opts = AllgatherOptions()); virtual c10::intrusive_ptr<Work> allgather_into_tensor_coalesced(std::vector<at::Tensor>& outputs, std::vector<at::Tensor>& inputs, const AllgatherOptions& opts = AllgatherOptions()); virtual c10::intrusive_ptr<Work> gather(std::vector<std::vector<at::Tensor>>& outputTensors, std::vector<at::Tensor>& inputTensors, const GatherOptions& opts = GatherOptions()); virtual c10::intrusive_ptr<Work> scatter(std::vector<at::Tensor>& outputTensors, std::vector<std::vector<at::Tensor>>& inputTensors, const ScatterOptions& opts = ScatterOptions()); virtual c10::intrusive_ptr<Work> reduce_scatter(std::vector<at::Tensor>& outputTensors, std::vector<std::vector<at::Tensor>>& inputTensors, const ReduceScatterOptions& opts = ReduceScatterOptions()); virtual c10::intrusive_ptr<Work> _reduce_scatter_base(at::Tensor& outputTensor, at::Tensor& inputTensor, const ReduceScatterOptions& opts = ReduceScatterOptions()); virtual c10::intrusive_ptr<Work> reduce_scatter_tensor_coalesced(std::vector<at::Tensor>& outputs, std::vector<at::Tensor>& inputs, const ReduceScatterOptions& opts = ReduceScatterOptions()); virtual c10::intrusive_ptr<Work> alltoall_base(at::Tensor& outputTensor, at::Tensor& inputTensor, std::vector<int64_t>& outputSplitSizes, std::vector<int64_t>& inputSplitSizes, const AllToAllOptions& opts = AllToAllOptions()); virtual c10::intrusive_ptr<Work> alltoall(std::vector<at::Tensor>& outputTensors, std::vector<at::Tensor>& inputTensors, const AllToAllOptions& opts = AllToAllOptions()); virtual c10::intrusive_ptr<Work> send(std::vector<at::Tensor>& tensors, int dstRank, int tag); virtual c10::intrusive_ptr<Work> recv(std::vector<at::Tensor>& tensors, int srcRank, int tag); virtual c10::intrusive_ptr<Work> recvAnysource(std::vector<at::Tensor>& tensors, int tag); virtual c10::intrusive_ptr<Work> barrier(const BarrierOptions& opts = BarrierOptions()); virtual c10::intrusive_ptr<Work> allreduce_sparse(std::vector<at::Tensor>& tensors, const AllreduceOptions& opts = AllreduceOptions());
  virtual void monitoredBarrier(const BarrierOptions& opts, bool waitAllRanks = false); virtual void setSequenceNumberForGroup(); virtual uint64_t getSequenceNumberForGroup(); virtual void registerOnCompletionHook(std::function<void(std::shared_ptr<WorkInfo>)>&& hook); virtual void waitForPendingWorks(); virtual void enableCollectivesTiming(); bool hasHooks() const; void setGroupUid(const std::string& pg_uid); const std::string& getGroupUid() const; void setGroupDesc(const std::string& desc); const std::string& getGroupDesc() const; c10::optional<at::Device> getBoundDeviceId() const; virtual void eagerConnectSingleDevice(at::Device device); void setBoundDeviceId(c10::optional<at::Device> device); virtual void abort(); virtual void shutdown();
 protected:
  void init(); const int rank_; const int size_; DebugLevel dist_debug_level_; std::string pg_uid_, pg_desc_; std::function<void(std::shared_ptr<WorkInfo>)> onCompletionHook_; c10::optional<at::Device> bound_device_id_;
};
}
