// Parse-only stand-in for Gloo: gloo/allgather_ring.h.
#pragma once
#include "gloo/algorithm.h"
namespace gloo { template <class T> class AllgatherRing : public Algorithm { public: template <class... A> AllgatherRing(const std::shared_ptr<Context>& context, A&&... args); virtual ~AllgatherRing(); void run() override; }; }
