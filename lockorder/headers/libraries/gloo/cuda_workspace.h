// Parse-only stand-in for Gloo: gloo/cuda_workspace.h.
#pragma once
#include "gloo/cuda.h"
namespace gloo { template <class T> class CudaHostWorkspace { public: using Pointer = CudaHostPointer<T>; }; template <class T> class CudaDeviceWorkspace { public: using Pointer = CudaDevicePointer<T>; }; }
