// Parse-only stand-in for PyTorch: c10/core/Backend.h.
#pragma once
#include <c10/core/DeviceType.h>
#include <c10/core/DispatchKey.h>
namespace c10 { enum class Backend { CPU, CUDA, HIP, SparseCPU, SparseCUDA, XLA, XPU, MPS, Meta, PrivateUse1, Undefined, NumOptions }; const char* toString(Backend b); }
