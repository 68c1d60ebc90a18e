// Parse-only stand-in for Gloo: gloo/cuda_allreduce_bcube.h.
#pragma once
#include "gloo/algorithm.h"
#include "gloo/cuda.h"
#include "gloo/cuda_workspace.h"
namespace gloo { template <class T, class W = CudaHostWorkspace<T>> class CudaAllreduceBcube : public Algorithm { public: template <class... A> CudaAllreduceBcube(const std::shared_ptr<Context>& context, A&&... args); virtual ~CudaAllreduceBcube(); void run() override; }; }
