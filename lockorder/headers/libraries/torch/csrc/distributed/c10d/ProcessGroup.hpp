// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/ProcessGroup.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/Types.hpp>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <torch/csrc/distributed/c10d/debug.h>
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/macros/Macros.h>
#include <torch/custom_class.h>
#include <unordered_set>
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
constexpr auto kProcessGroupDefaultTimeout = std::chrono::milliseconds(30 * 60 * 1000);
namespace c10d {
void register_work(const at::Tensor& tensor, const c10::intrusive_ptr<c10d::Work>& work); at::Tensor wait_tensor(const at::Tensor& tensor); void unregister_work(const c10::intrusive_ptr<c10d::Work>& work); size_t get_work_registry_size();
class ProcessGroup : public torch::CustomClassHolder {
 public:
  enum BackendType : uint8_t { UNDEFINED = 0, GLOO = 1, NCCL = 2, UCC = 3, MPI = 4, XCCL = 5, CUSTOM = 6 };
  struct Options : torch::CustomClassHolder { explicit Options(std::string backend, std::chrono::milliseconds timeout = kProcessGroupDefaultTimeout); virtual ~Options() = default; std::chrono::milliseconds timeout; const std::string backend; };
  static std::string backendTypeToString(const BackendType& type); static BackendType strToBackendType(const std::string& backend); explicit ProcessGroup(int rank, int size); explicit ProcessGroup(c10::intrusive_ptr<::c10d::Store> store, int rank, int size); virtual ~ProcessGroup();
  virtual int getRank() const; virtual int getSize() const; int64_t getID() const; int64_t getBackendID(BackendType backend_type) const; virtual const std::string getBackendName() const; BackendType getBackendType() const; virtual void startCoalescing(c10::DeviceType deviceType); virtual c10::intrusive_ptr<Work> endCoalescing(c10::DeviceType deviceType);
  virtual c10::intrusive_ptr<Work> broadcast(std::vector<at::Tensor>& tensors, const BroadcastOptions& opts = BroadcastOptions()); virtual c10::intrusive_ptr<Work> allreduce(std::vector<at::Tensor>& tensors, const AllreduceOptions& opts = AllreduceOptions()); virtual c10::intrusive_ptr<Work> allreduce_coalesced(std::vector<at::Tensor>& tensors, const AllreduceCoalescedOptions& opts = AllreduceCoalescedOptions()); virtual c10::intrusive_ptr<Work> reduce(std::vector<at::Tensor>& tensors, const ReduceOptions& opts = ReduceOptions()); virtual c10::intrusive_ptr<Work> allgather(std::vector<std::vector<at::Tensor>>& outputTensors, std::vector<at::Tensor>& inputTensors, const AllgatherOptions& opts = AllgatherOptions()); virtual c10::intrusive_ptr<Work> _allgather_base(at::Tensor& outputBuffer, at::Tensor& inputBuffer, const AllgatherOptions& opts = AllgatherOptions()); virtual c10::intrusive_ptr<Work> allgather_coalesced(std::vector<std::vector<at::Tensor>>& outputTensorLists, std::vector<at::Tensor>& inputTensors, const AllgatherOptions& opts = AllgatherOptions()); virtual c10::intrusive_ptr<Work> allgather_into_tensor_coalesced(std::vector<at::Tensor>& outputs, std::vector<at::Tensor>& inputs, const AllgatherOptions& opts = AllgatherOptions()); virtual c10::intrusive_ptr<Work> gather(std::vector<std::vector<at::Tensor>>& outputTensors, std::vector<at::Tensor>& inputTensors, const GatherOptions& opts = GatherOptions()); virtual c10::intrusive_ptr<Work> scatter(std::vector<at::Tensor>& outputTensors, std::vector<std::vector<at::Tensor>>& inputTensors, const ScatterOptions& opts = ScatterOptions()); virtual c10::intrusive_ptr<Work> reduce_scatter(std::vector<at::Tensor>& outputTensors, std::vector<std::vector<at::Tensor>>& inputTensors, const ReduceScatterOptions& opts = ReduceScatterOptions()); virtual c10::intrusive_ptr<Work> _reduce_scatter_base(at::Tensor& outputTensor, at::Tensor& inputTensor, const ReduceScatterOptions& opts = ReduceScatterOptions()); virtual c10::intrusive_ptr<Work> reduce_scatter_tensor_coalesced(std::vector<at::Tensor>& outputs, std::vector<at::Tensor>& inputs, const ReduceScatterOptions& opts = ReduceScatterOptions()); virtual c10::intrusive_ptr<Work> alltoall_base(at::Tensor& outputTensor, at::Tensor& inputTensor, std::vector<int64_t>& outputSplitSizes, std::vector<int64_t>& inputSplitSizes, const AllToAllOptions& opts = AllToAllOptions()); virtual c10::intrusive_ptr<Work> alltoall(std::vector<at::Tensor>& outputTensors, std::vector<at::Tensor>& inputTensors, const AllToAllOptions& opts = AllToAllOptions()); virtual c10::intrusive_ptr<Work> send(std::vector<at::Tensor>& tensors, int dstRank, int tag); virtual c10::intrusive_ptr<Work> recv(std::vector<at::Tensor>& tensors, int srcRank, int tag); virtual c10::intrusive_ptr<Work> recvAnysource(std::vector<at::Tensor>& tensors, int tag); virtual c10::intrusive_ptr<Work> barrier(const BarrierOptions& opts = BarrierOptions());
  virtual void monitoredBarrier(const BarrierOptions& opts, bool waitAllRanks = false); virtual void setSequenceNumberForGroup(); virtual uint64_t getSequenceNumberForGroup(); bool hasBackends(); void setBackend(c10::DeviceType deviceType, BackendType backendType, const c10::optional<c10::intrusive_ptr<Backend>>& backend); c10::intrusive_ptr<Backend> getDefaultBackend() const; void setDefaultBackend(const BackendType& backendType); void setDefaultBackend(const std::string& backend); c10::intrusive_ptr<Backend> getBackend(c10::DeviceType deviceType); c10::intrusive_ptr<Backend> getBackend(BackendType backendType) const; std::vector<c10::Device> getDeviceTypes() const; void registerOnCompletionHook(std::function<void(std::shared_ptr<WorkInfo>)>&& hook); void waitForPendingWorks(); bool hasHooks() const; virtual const std::string& getGroupName() const; virtual void setGroupName(const std::string& name); virtual const std::string& getGroupDesc() const; virtual void setGroupDesc(const std::string& name); void enableCollectivesTiming(); void release_resources() override; c10::optional<at::Device> getBoundDeviceId() const; void setBoundDeviceId(c10::optional<at::Device> device); virtual void abort(); virtual void shutdown();
 protected:
  void init(); c10::intrusive_ptr<c10d::Store> store_; const int rank_; const int size_; BackendType backendType_; std::string pg_desc_; DebugLevel dist_debug_level_; std::unordered_set<c10::DeviceType> deviceTypes_; std::unordered_map<c10::DeviceType, BackendType> deviceTypeToBackendType_; std::unordered_map<c10::DeviceType, c10::intrusive_ptr<Backend>> deviceTypeToBackend_; std::unordered_map<BackendType, c10::intrusive_ptr<Backend>> backendTypeToBackend_; c10::optional<at::Device> bound_device_id_;
};
}
