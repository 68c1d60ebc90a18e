// Parse-only stand-in for Gloo: gloo/barrier_all_to_one.h.
#pragma once
#include "gloo/barrier.h"
namespace gloo { class BarrierAllToOne : public Barrier { public: explicit BarrierAllToOne(const std::shared_ptr<Context>& context, int root = 0); void run() override; }; }
