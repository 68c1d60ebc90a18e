// Parse-only stand-in for Gloo: gloo/broadcast.h.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>
#include "gloo/context.h"
#include "gloo/transport/unbound_buffer.h"
namespace gloo {
class BroadcastOptions {
 public:
  explicit BroadcastOptions(const std::shared_ptr<Context>& context); void setTag(uint32_t tag); void setTimeout(std::chrono::milliseconds timeout);
  void setInput(std::unique_ptr<transport::UnboundBuffer> buf); template <class T> void setInput(T* ptr, size_t elements); void setOutput(std::unique_ptr<transport::UnboundBuffer> buf); template <class T> void setOutput(T* ptr, size_t elements);
  void setRoot(int root);
};
void broadcast(BroadcastOptions& opts);
void broadcast(const BroadcastOptions& opts);
}
