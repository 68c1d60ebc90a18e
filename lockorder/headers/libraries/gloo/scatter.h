// Parse-only stand-in for Gloo: gloo/scatter.h.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>
#include "gloo/context.h"
#include "gloo/transport/unbound_buffer.h"
namespace gloo {
class ScatterOptions {
 public:
  explicit ScatterOptions(const std::shared_ptr<Context>& context); void setTag(uint32_t tag); void setTimeout(std::chrono::milliseconds timeout);
  void setInputs(std::vector<std::unique_ptr<transport::UnboundBuffer>> bufs); template <class T> void setInputs(std::vector<T*> ptrs, size_t elements); template <class T> void setInputs(T** ptrs, size_t len, size_t elements); void setOutput(std::unique_ptr<transport::UnboundBuffer> buf); template <class T> void setOutput(T* ptr, size_t elements);
  void setRoot(int root);
};
void scatter(ScatterOptions& opts);
void scatter(const ScatterOptions& opts);
}
