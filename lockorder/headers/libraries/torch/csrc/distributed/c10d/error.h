// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/error.h.
#pragma once
#include <cstring>
#include <system_error>
namespace c10d { namespace detail { std::error_code lastError() noexcept; } }
