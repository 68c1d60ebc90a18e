// Parse-only stand-in for Gloo: gloo/reduce_scatter.h.
#pragma once
#include "gloo/algorithm.h"
namespace gloo { template <class T> class ReduceScatterHalvingDoubling : public Algorithm { public: template <class... A> ReduceScatterHalvingDoubling(const std::shared_ptr<Context>& context, A&&... args); virtual ~ReduceScatterHalvingDoubling(); void run() override; }; }
