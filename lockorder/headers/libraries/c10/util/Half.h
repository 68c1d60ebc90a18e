// Parse-only stand-in for PyTorch: c10/util/Half.h.
#pragma once
#include <c10/macros/Macros.h>
#include <cstdint>
namespace c10 { struct alignas(2) Half { uint16_t x; Half() = default; Half(float v); operator float() const; }; }
