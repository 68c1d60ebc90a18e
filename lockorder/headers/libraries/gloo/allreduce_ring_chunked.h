// Parse-only stand-in for Gloo: gloo/allreduce_ring_chunked.h.
#pragma once
#include "gloo/algorithm.h"
namespace gloo { template <class T> class AllreduceRingChunked : public Algorithm { public: template <class... A> AllreduceRingChunked(const std::shared_ptr<Context>& context, A&&... args); virtual ~AllreduceRingChunked(); void run() override; }; }
