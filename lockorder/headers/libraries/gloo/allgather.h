// Parse-only stand-in for Gloo: gloo/allgather.h.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>
#include "gloo/context.h"
#include "gloo/transport/unbound_buffer.h"
namespace gloo {
class AllgatherOptions {
 public:
  explicit AllgatherOptions(const std::shared_ptr<Context>& context); void setTag(uint32_t tag); void setTimeout(std::chrono::milliseconds timeout);
  void setInput(std::unique_ptr<transport::UnboundBuffer> buf); template <class T> void setInput(T* ptr, size_t elements); void setOutput(std::unique_ptr<transport::UnboundBuffer> buf); template <class T> void setOutput(T* ptr, size_t elements);
};
void allgather(AllgatherOptions& opts);
void allgather(const AllgatherOptions& opts);
}
