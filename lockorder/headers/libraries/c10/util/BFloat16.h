// Parse-only stand-in for PyTorch: c10/util/BFloat16.h.
#pragma once
#include <c10/macros/Macros.h>
#include <cstdint>
namespace c10 { struct alignas(2) BFloat16 { uint16_t x; BFloat16() = default; BFloat16(float v); operator float() const; }; }
