// Parse-only stand-in for Gloo: gloo/reduce.h.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>
#include "gloo/context.h"
#include "gloo/transport/unbound_buffer.h"
namespace gloo {
class ReduceOptions {
 public:
  explicit ReduceOptions(const std::shared_ptr<Context>& context); void setTag(uint32_t tag); void setTimeout(std::chrono::milliseconds timeout);
  void setInput(std::unique_ptr<transport::UnboundBuffer> buf); template <class T> void setInput(T* ptr, size_t elements); void setOutput(std::unique_ptr<transport::UnboundBuffer> buf); template <class T> void setOutput(T* ptr, size_t elements);
  using Func = std::function<void(void*, const void*, const void*, size_t)>; void setReduceFunction(Func fn); void setMaxSegmentSize(size_t maxSegmentSize); static constexpr size_t kMaxSegmentSize = 1024 * 1024;
  void setRoot(int root);
};
void reduce(ReduceOptions& opts);
void reduce(const ReduceOptions& opts);
}
