// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/debug.h.
#pragma once
#include <c10/macros/Macros.h>
namespace c10d { enum class DebugLevel { Off = 0, Info = 1, Detail = 2 }; void setDebugLevel(DebugLevel level); void setDebugLevelFromEnvironment(); DebugLevel debug_level() noexcept; }
