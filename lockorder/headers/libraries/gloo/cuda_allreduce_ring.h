// Parse-only stand-in for Gloo: gloo/cuda_allreduce_ring.h.
#pragma once
#include "gloo/algorithm.h"
#include "gloo/cuda.h"
#include "gloo/cuda_workspace.h"
namespace gloo { template <class T, class W = CudaHostWorkspace<T>> class CudaAllreduceRing : public Algorithm { public: template <class... A> CudaAllreduceRing(const std::shared_ptr<Context>& context, A&&... args); virtual ~CudaAllreduceRing(); void run() override; }; }
