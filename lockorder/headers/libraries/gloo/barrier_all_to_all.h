// Parse-only stand-in for Gloo: gloo/barrier_all_to_all.h.
#pragma once
#include "gloo/barrier.h"
namespace gloo { class BarrierAllToAll : public Barrier { public: explicit BarrierAllToAll(const std::shared_ptr<Context>& context, int root = 0); void run() override; }; }
