// Parse-only stand-in for PyTorch: c10/core/MemoryFormat.h.
#pragma once
#include <c10/macros/Macros.h>
#include <cstdint>
#include <ostream>
namespace c10 { enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d, NumOptions }; std::ostream& operator<<(std::ostream& stream, MemoryFormat m); }
