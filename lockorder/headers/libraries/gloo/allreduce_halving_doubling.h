// Parse-only stand-in for Gloo: gloo/allreduce_halving_doubling.h.
#pragma once
#include "gloo/algorithm.h"
namespace gloo { template <class T> class AllreduceHalvingDoubling : public Algorithm { public: template <class... A> AllreduceHalvingDoubling(const std::shared_ptr<Context>& context, A&&... args); virtual ~AllreduceHalvingDoubling(); void run() override; }; }
