// Parse-only stand-in for Gloo: gloo/cuda_allreduce_ring_chunked.h.
#pragma once
#include "gloo/algorithm.h"
#include "gloo/cuda.h"
#include "gloo/cuda_workspace.h"
namespace gloo { template <class T, class W = CudaHostWorkspace<T>> class CudaAllreduceRingChunked : public Algorithm { public: template <class... A> CudaAllreduceRingChunked(const std::shared_ptr<Context>& context, A&&... args); virtual ~CudaAllreduceRingChunked(); void run() override; }; }
