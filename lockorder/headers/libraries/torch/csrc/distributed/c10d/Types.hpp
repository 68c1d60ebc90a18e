// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/Types.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/util/intrusive_ptr.h>
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
struct _SupplementBase : torch::CustomClassHolder {}; struct NCCLPreMulSumSupplement : _SupplementBase { double double_factor{0.0}; at::Tensor tensor_factor; NCCLPreMulSumSupplement(double f); NCCLPreMulSumSupplement(at::Tensor t); };
struct ReduceOp : torch::CustomClassHolder { enum RedOpType : uint8_t { SUM = 0, AVG = 1, PRODUCT = 2, MIN = 3, MAX = 4, BAND = 5, BOR = 6, BXOR = 7, PREMUL_SUM = 8, UNUSED = 9 }; ReduceOp(); ReduceOp(RedOpType op); ReduceOp(RedOpType op, const c10::intrusive_ptr<_SupplementBase>& supplement); ReduceOp(const ReduceOp&) = default; ReduceOp& operator=(const ReduceOp&) = default; operator RedOpType() const; RedOpType op_ = SUM; c10::intrusive_ptr<_SupplementBase> supplement_; };
template <class T> ReduceOp makeNCCLPreMulSum(const T& factor);
constexpr auto kUnsetTimeout = std::chrono::milliseconds(-1);
struct BroadcastOptions { int64_t rootRank = 0, rootTensor = 0; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct AllreduceOptions { ReduceOp reduceOp = ReduceOp::SUM; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; c10::optional<at::Tensor> sparseIndices; }; struct AllreduceCoalescedOptions : AllreduceOptions {};
struct ReduceOptions { ReduceOp reduceOp = ReduceOp::SUM; int64_t rootRank = 0, rootTensor = 0; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct AllgatherOptions { std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; }; struct GatherOptions { int64_t rootRank = 0; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; }; struct ScatterOptions { int64_t rootRank = 0; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct ReduceScatterOptions { ReduceOp reduceOp = ReduceOp::SUM; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; }; struct AllToAllOptions { std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct BarrierOptions { std::vector<int64_t> device_ids; std::chrono::milliseconds timeout = kUnsetTimeout; c10::optional<at::Device> device; bool asyncOp = true; };
struct DistributedBackendOptions { c10::intrusive_ptr<::c10d::Store> store; int group_rank; int group_size; std::chrono::duration<float> timeout; std::string group_id; std::vector<int64_t> global_ranks_in_group; };
}
