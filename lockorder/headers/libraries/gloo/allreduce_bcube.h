// Parse-only stand-in for Gloo: gloo/allreduce_bcube.h.
#pragma once
#include "gloo/algorithm.h"
namespace gloo { template <class T> class AllreduceBcube : public Algorithm { public: template <class... A> AllreduceBcube(const std::shared_ptr<Context>& context, A&&... args); virtual ~AllreduceBcube(); void run() override; }; }
