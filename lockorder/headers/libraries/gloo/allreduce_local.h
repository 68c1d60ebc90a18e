// Parse-only stand-in for Gloo: gloo/allreduce_local.h.
#pragma once
#include "gloo/algorithm.h"
namespace gloo { template <class T> class AllreduceLocal : public Algorithm { public: template <class... A> AllreduceLocal(const std::shared_ptr<Context>& context, A&&... args); virtual ~AllreduceLocal(); void run() override; }; }
