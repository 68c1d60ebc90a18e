// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/NCCLUtils.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/exception.h>
#include <ATen/ATen.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/util/Exception.h>
#include <c10/util/Optional.h>
#include <nccl.h>
#include <sched.h>
#include <cstdio>
#include <cstdlib>
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
constexpr int64_t kCommInitBusyWaitMillis = 2;
#define ENABLE_NCCL_ERROR_CHECKING
#define ENABLE_NCCL_GET_LAST_ERROR
#define ENABLE_NCCL_P2P_SUPPORT
#define ENABLE_NCCL_PREMUL_SUM_SUPPORT
#define NCCL_HAS_COMM_NONBLOCKING
#define NCCL_HAS_COMM_SPLIT
#define NCCL_HAS_COMM_REGISTER
#define NCCL_HAS_COMM_CTA_CGA
#define NCCL_REMOTE_ERROR
#define LOSTUB_NCCL_FAIL(result) ::c10::detail::torchCheckFail(__func__, __FILE__, static_cast<uint32_t>(__LINE__), ::c10d::ncclGetErrorWithVersion(result))
#define C10D_NCCL_CHECK(cmd, failureReason) do { ncclResult_t result = cmd; if (result != ncclSuccess) { (void)(failureReason); LOSTUB_NCCL_FAIL(result); } } while (0)
#define C10D_NCCL_CHECK_NONBLOCKING(cmd, failureReason) do { ncclResult_t result = cmd; if (result != ncclSuccess && result != ncclInProgress) { (void)(failureReason); LOSTUB_NCCL_FAIL(result); } } while (0)
#define C10D_SCHED_SLEEP() sched_yield()
#define C10D_CHECK_TIMEOUT(startTime, timeout) do { if (std::chrono::steady_clock::now() - (startTime) > std::chrono::seconds(timeout)) { LOSTUB_NCCL_FAIL(ncclSystemError); } } while (0)
#define C10D_NCCL_CHECK_TIMEOUT_BASE(cmd, comm, failureReason, yield_fn) do { ncclResult_t result = cmd; while (result == ncclInProgress) { ncclCommGetAsyncError(comm, &result); yield_fn; } if (result != ncclSuccess) { (void)(failureReason); LOSTUB_NCCL_FAIL(result); } } while (0)
#define C10D_NCCL_CHECK_TIMEOUT(cmd, comm, failureReason) C10D_NCCL_CHECK_TIMEOUT_BASE(cmd, comm, failureReason, C10D_SCHED_SLEEP())
#define C10D_NCCL_CHECK_TIMEOUT_SLEEP(cmd, comm, failureReason) C10D_NCCL_CHECK_TIMEOUT_BASE(cmd, comm, failureReason, C10D_SCHED_SLEEP())
#define C10D_NCCL_CHECK_TIMEOUT_GROUPEND(cmd, comm, failureReason) C10D_NCCL_CHECK_TIMEOUT_BASE(cmd, (comm)->getNcclComm(), failureReason, C10D_SCHED_SLEEP())
#define C10D_NCCL_ASSERT(cmd) do { ncclResult_t result = cmd; if (result != ncclSuccess) { abort(); } } while (0)
namespace c10d {
std::string getNcclVersion(); std::string ncclGetErrorWithVersion(ncclResult_t error); int nccl_nonblocking_timeout(); bool nccl_use_nonblocking(); std::string getNcclErrorDetailStr(ncclResult_t error, c10::optional<std::string> processGroupFailureReason = {}); size_t hashTensors(const std::vector<at::Tensor>& tensors);
class NCCLComm;
struct ncclRedOpRAII { ncclRedOpRAII(); ncclRedOpRAII(ncclRedOp_t op); ncclRedOpRAII(ncclRedOp_t op, ncclComm_t comm); ~ncclRedOpRAII(); operator ncclRedOp_t() const; };
}
