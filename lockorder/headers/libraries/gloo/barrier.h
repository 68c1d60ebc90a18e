// Parse-only stand-in for Gloo: gloo/barrier.h.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>
#include "gloo/algorithm.h"
#include "gloo/context.h"
#include "gloo/transport/unbound_buffer.h"
namespace gloo {
class Barrier : public Algorithm { public: explicit Barrier(const std::shared_ptr<Context>& context); virtual ~Barrier(); };
class BarrierOptions {
 public:
  explicit BarrierOptions(const std::shared_ptr<Context>& context); void setTag(uint32_t tag); void setTimeout(std::chrono::milliseconds timeout);
};
void barrier(BarrierOptions& opts);
void barrier(const BarrierOptions& opts);
}
