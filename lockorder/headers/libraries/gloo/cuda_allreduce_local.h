// Parse-only stand-in for Gloo: gloo/cuda_allreduce_local.h.
#pragma once
#include "gloo/algorithm.h"
#include "gloo/cuda.h"
#include "gloo/cuda_workspace.h"
namespace gloo { template <class T, class W = CudaHostWorkspace<T>> class CudaAllreduceLocal : public Algorithm { public: template <class... A> CudaAllreduceLocal(const std::shared_ptr<Context>& context, A&&... args); virtual ~CudaAllreduceLocal(); void run() override; }; }
