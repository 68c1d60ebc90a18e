// Parse-only stand-in for Gloo: gloo/allreduce_ring.h.
#pragma once
#include "gloo/algorithm.h"
namespace gloo { template <class T> class AllreduceRing : public Algorithm { public: template <class... A> AllreduceRing(const std::shared_ptr<Context>& context, A&&... args); virtual ~AllreduceRing(); void run() override; }; }
