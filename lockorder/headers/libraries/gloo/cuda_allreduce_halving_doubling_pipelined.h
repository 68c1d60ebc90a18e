// Parse-only stand-in for Gloo: gloo/cuda_allreduce_halving_doubling_pipelined.h.
#pragma once
#include "gloo/algorithm.h"
#include "gloo/cuda.h"
#include "gloo/cuda_workspace.h"
namespace gloo { template <class T, class W = CudaHostWorkspace<T>> class CudaAllreduceHalvingDoublingPipelined : public Algorithm { public: template <class... A> CudaAllreduceHalvingDoublingPipelined(const std::shared_ptr<Context>& context, A&&... args); virtual ~CudaAllreduceHalvingDoublingPipelined(); void run() override; }; }
