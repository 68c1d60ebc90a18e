// Parse-only stand-in for Gloo: gloo/cuda_allreduce_halving_doubling.h.
#pragma once
#include "gloo/algorithm.h"
#include "gloo/cuda.h"
#include "gloo/cuda_workspace.h"
namespace gloo { template <class T, class W = CudaHostWorkspace<T>> class CudaAllreduceHalvingDoubling : public Algorithm { public: template <class... A> CudaAllreduceHalvingDoubling(const std::shared_ptr<Context>& context, A&&... args); virtual ~CudaAllreduceHalvingDoubling(); void run() override; }; }
