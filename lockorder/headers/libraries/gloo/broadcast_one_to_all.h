// Parse-only stand-in for Gloo: gloo/broadcast_one_to_all.h.
#pragma once
#include "gloo/algorithm.h"
namespace gloo { template <class T> class BroadcastOneToAll : public Algorithm { public: template <class... A> BroadcastOneToAll(const std::shared_ptr<Context>& context, A&&... args); virtual ~BroadcastOneToAll(); void run() override; }; }
