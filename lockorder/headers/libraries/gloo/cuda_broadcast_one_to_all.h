// Parse-only stand-in for Gloo: gloo/cuda_broadcast_one_to_all.h.
#pragma once
#include "gloo/algorithm.h"
#include "gloo/cuda.h"
#include "gloo/cuda_workspace.h"
namespace gloo { template <class T, class W = CudaHostWorkspace<T>> class CudaBroadcastOneToAll : public Algorithm { public: template <class... A> CudaBroadcastOneToAll(const std::shared_ptr<Context>& context, A&&... args); virtual ~CudaBroadcastOneToAll(); void run() override; }; }
