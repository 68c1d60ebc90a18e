// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/Work.hpp.
#pragma once
#include <ATen/ATen.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/Export.h>
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
constexpr auto kNoTimeout = std::chrono::milliseconds(0);
namespace c10d {
constexpr const char* const kSeqNumStoreKey = "SEQ_NUM_STORE_KEY";
enum class OpType : std::uint8_t { BROADCAST = 0, ALLREDUCE = 1, ALLREDUCE_COALESCED = 2, REDUCE = 3, ALLGATHER = 4, _ALLGATHER_BASE = 5, ALLGATHER_COALESCED = 6, GATHER = 7, SCATTER = 8, REDUCE_SCATTER = 9, ALLTOALL_BASE = 10, ALLTOALL = 11, SEND = 12, RECV = 13, RECVANYSOURCE = 14, BARRIER = 15, _REDUCE_SCATTER_BASE = 16, COALESCED = 17, _ALLREDUCE_SPARSE = 18, UNKNOWN = 100 };
enum class WorkResult : std::uint8_t { SUCCESS = 0, TIMEOUT = 1, COMM_ERROR = 2, UNKNOWN = 100 };
std::string opTypeToString(OpType opType); bool isP2POp(OpType opType, bool batchP2P = false);
class Work : public torch::CustomClassHolder {
 public:
  Work(int rank = -1, OpType opType = OpType::UNKNOWN, const char* profilingTitle = nullptr, const c10::optional<std::vector<at::Tensor>>& inputTensors = {}); virtual ~Work();
  virtual bool isCompleted(); virtual bool isSuccess() const; virtual std::exception_ptr exception() const; virtual int sourceRank() const; virtual std::vector<at::Tensor> result(); virtual void synchronize(); virtual bool wait(std::chrono::milliseconds timeout = kNoTimeout); virtual void abort(); virtual c10::intrusive_ptr<c10::ivalue::Future> getFuture(); virtual c10::intrusive_ptr<c10::ivalue::Future> getFutureResult(); virtual float getDuration() const; virtual uint64_t getSequencenumber() const; OpType retrieveOpType() const; static c10::intrusive_ptr<Work> create_from_future(const c10::intrusive_ptr<c10::ivalue::Future>&);
 protected:
  void finish(std::exception_ptr exception = nullptr); void finishAndThrow(std::exception_ptr exception);
  mutable std::mutex mutex_; std::condition_variable cv_; bool completed_ = false; std::exception_ptr exception_; const int rank_; OpType opType_; std::function<void()> recordFunctionEndCallback_;
};
struct WorkInfo { WorkInfo(const OpType& opType, const uint64_t seq, const std::chrono::time_point<std::chrono::system_clock>& timeStarted, const std::chrono::time_point<std::chrono::system_clock>& timeFinished, const std::chrono::duration<float>& activeDuration); OpType opType; uint64_t seq; std::chrono::time_point<std::chrono::system_clock> timeStarted, timeFinished; std::chrono::duration<float> activeDuration; };
}
