// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/ProcessGroupGloo.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/Types.hpp>
#include <torch/csrc/distributed/c10d/Utils.hpp>
#include <ATen/ThreadLocalState.h>
#include <c10/util/hash.h>
#include <gloo/algorithm.h>
#include <gloo/common/error.h>
#include <gloo/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/device.h>
#include <deque>
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
constexpr const char* GLOO_BACKEND_NAME = "gloo";
class ProcessGroupGloo : public Backend {
 public:
  class AsyncWork : public Work { public: explicit AsyncWork(std::vector<std::vector<at::Tensor>> outputTensors, OpType opType, uint64_t seq, const char* profilingTitle = nullptr, const c10::optional<std::vector<at::Tensor>>& inputTensors = {}); virtual ~AsyncWork() = default; static void execute(const c10::intrusive_ptr<AsyncWork>& work); virtual void run() = 0; std::vector<at::Tensor> result() override; c10::intrusive_ptr<c10::ivalue::Future> getFuture() override; uint64_t getSequencenumber() const override; at::ThreadLocalState getTLS() const; protected: friend class ProcessGroupGloo; };
  class SendWork : public Work { public: explicit SendWork(at::Tensor& tensor, std::unique_ptr<::gloo::transport::UnboundBuffer> buffer, uint64_t seq); bool wait(std::chrono::milliseconds timeout = kNoTimeout) override; void abort() override; uint64_t getSequencenumber() const override; protected: at::Tensor tensor_; std::unique_ptr<::gloo::transport::UnboundBuffer> buffer_; const uint64_t seq_; };
  class RecvWork : public Work { public: explicit RecvWork(at::Tensor& tensor, std::unique_ptr<::gloo::transport::UnboundBuffer> buffer, OpType opType, uint64_t seq, const char* profilingTitle = nullptr); int sourceRank() const override; bool wait(std::chrono::milliseconds timeout = kNoTimeout) override; void abort() override; uint64_t getSequencenumber() const override; protected: at::Tensor tensor_; std::unique_ptr<::gloo::transport::UnboundBuffer> buffer_; int srcRank_; const uint64_t seq_; };
  struct Options : public Backend::Options { explicit Options(std::chrono::milliseconds timeout = kBackendDefaultTimeout); static c10::intrusive_ptr<Options> create(std::chrono::milliseconds timeout = kBackendDefaultTimeout); std::vector<std::shared_ptr<::gloo::transport::Device>> devices; int threads; };
  const std::string getBackendName() const override; static std::shared_ptr<::gloo::transport::Device> createDeviceForInterface(const std::string& interface); static std::shared_ptr<::gloo::transport::Device> createDeviceForHostname(const std::string& hostname); static std::shared_ptr<::gloo::transport::Device> createDefaultDevice();
  explicit ProcessGroupGloo(const c10::intrusive_ptr<Store>& store, int rank, int size, c10::intrusive_ptr<Options> options = Options::create()); virtual ~ProcessGroupGloo(); c10::intrusive_ptr<Options> getOptions();
  c10::intrusive_ptr<Work> broadcast(std::vector<at::Tensor>& tensors, const BroadcastOptions& opts = BroadcastOptions()) override; c10::intrusive_ptr<Work> allreduce(std::vector<at::Tensor>& tensors, const AllreduceOptions& opts = AllreduceOptions()) override; c10::intrusive_ptr<Work> allreduce_coalesced(std::vector<at::Tensor>& tensors, const AllreduceCoalescedOptions& opts = AllreduceCoalescedOptions()) override; c10::intrusive_ptr<Work> reduce(std::vector<at::Tensor>& tensors, const ReduceOptions& opts = ReduceOptions()) override; c10::intrusive_ptr<Work> allgather(std::vector<std::vector<at::Tensor>>& outputTensors, std::vector<at::Tensor>& inputTensors, const AllgatherOptions& opts = AllgatherOptions()) override; c10::intrusive_ptr<Work> _allgather_base(at::Tensor& outputBuffer, at::Tensor& inputBuffer, const AllgatherOptions& opts = AllgatherOptions()) override; c10::intrusive_ptr<Work> allgather_coalesced(std::vector<std::vector<at::Tensor>>& outputTensorLists, std::vector<at::Tensor>& inputTensors, const AllgatherOptions& opts = AllgatherOptions()) override; c10::intrusive_ptr<Work> allgather_into_tensor_coalesced(std::vector<at::Tensor>& outputs, std::vector<at::Tensor>& inputs, const AllgatherOptions& opts = AllgatherOptions()) override; c10::intrusive_ptr<Work> gather(std::vector<std::vector<at::Tensor>>& outputTensors, std::vector<at::Tensor>& inputTensors, const GatherOptions& opts = GatherOptions()) override; c10::intrusive_ptr<Work> scatter(std::vector<at::Tensor>& outputTensors, std::vector<std::vector<at::Tensor>>& inputTensors, const ScatterOptions& opts = ScatterOptions()) override; c10::intrusive_ptr<Work> reduce_scatter(std::vector<at::Tensor>& outputTensors, std::vector<std::vector<at::Tensor>>& inputTensors, const ReduceScatterOptions& opts = ReduceScatterOptions()) override; c10::intrusive_ptr<Work> _reduce_scatter_base(at::Tensor& outputTensor, at::Tensor& inputTensor, const ReduceScatterOptions& opts = ReduceScatterOptions()) override; c10::intrusive_ptr<Work> reduce_scatter_tensor_coalesced(std::vector<at::Tensor>& outputs, std::vector<at::Tensor>& inputs, const ReduceScatterOptions& opts = ReduceScatterOptions()) override; c10::intrusive_ptr<Work> alltoall_base(at::Tensor& outputTensor, at::Tensor& inputTensor, std::vector<int64_t>& outputSplitSizes, std::vector<int64_t>& inputSplitSizes, const AllToAllOptions& opts = AllToAllOptions()) override; c10::intrusive_ptr<Work> alltoall(std::vector<at::Tensor>& outputTensors, std::vector<at::Tensor>& inputTensors, const AllToAllOptions& opts = AllToAllOptions()) override; c10::intrusive_ptr<Work> send(std::vector<at::Tensor>& tensors, int dstRank, int tag) override; c10::intrusive_ptr<Work> recv(std::vector<at::Tensor>& tensors, int srcRank, int tag) override; c10::intrusive_ptr<Work> recvAnysource(std::vector<at::Tensor>& tensors, int tag) override; c10::intrusive_ptr<Work> barrier(const BarrierOptions& opts = BarrierOptions()) override; c10::intrusive_ptr<Work> allreduce_sparse(std::vector<at::Tensor>& tensors, const AllreduceOptions& opts = AllreduceOptions()) override;
  void enableCollectivesTiming() override; const std::unique_ptr<::gloo::rendezvous::Store>& _getStore() const; void monitoredBarrier(const BarrierOptions& opts, bool waitAllRanks) override; void setSequenceNumberForGroup() override; uint64_t getSequenceNumberForGroup() override; int getNumThreads();
 protected:
  std::unique_ptr<::gloo::rendezvous::Store> store_; const c10::intrusive_ptr<Options> options_; std::vector<std::shared_ptr<::gloo::Context>> contexts_; std::vector<std::thread> threads_; bool stop_; uint32_t collectiveCounter_; uint32_t nextTag(); std::shared_ptr<::gloo::Context> getContext(uint32_t tag); void runLoop(int workerIndex); void enqueue(c10::intrusive_ptr<AsyncWork> work); std::deque<c10::intrusive_ptr<AsyncWork>> workQueue_; std::vector<c10::intrusive_ptr<AsyncWork>> workInProgress_; std::mutex workMutex_; std::condition_variable workProduceCV_, workConsumeCV_; uint64_t seq_{0};
};
}
