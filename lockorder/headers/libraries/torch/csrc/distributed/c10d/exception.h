// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/exception.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <stdexcept>
#define C10D_THROW_ERROR(err_type, msg) throw ::c10d::err_type({__func__, __FILE__, static_cast<uint32_t>(__LINE__)}, msg)
#define C10D_CHECK_WITH(error_t, cond, ...) TORCH_CHECK(cond, ##__VA_ARGS__)
namespace c10d { using c10::DistNetworkError; using c10::DistStoreError; using c10::DistBackendError; class SocketError : public DistNetworkError { using DistNetworkError::DistNetworkError; }; class TimeoutError : public DistNetworkError { using DistNetworkError::DistNetworkError; }; }
