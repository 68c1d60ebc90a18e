// Parse-only stand-in for PyTorch: c10/cuda/impl/CUDAGuardImpl.h.
#pragma once
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
