// Parse-only stand-in for Gloo: gloo/allreduce.h.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>
#include "gloo/context.h"
#include "gloo/transport/unbound_buffer.h"
namespace gloo {
class AllreduceOptions {
 public:
  explicit AllreduceOptions(const std::shared_ptr<Context>& context); void setTag(uint32_t tag); void setTimeout(std::chrono::milliseconds timeout);
  void setInput(std::unique_ptr<transport::UnboundBuffer> buf); void setInputs(std::vector<std::unique_ptr<transport::UnboundBuffer>> bufs); template <class T> void setInput(T* ptr, size_t elements); template <class T> void setInputs(std::vector<T*> ptrs, size_t elements); template <class T> void setInputs(T** ptrs, size_t len, size_t elements);
  void setOutput(std::unique_ptr<transport::UnboundBuffer> buf); void setOutputs(std::vector<std::unique_ptr<transport::UnboundBuffer>> bufs); template <class T> void setOutput(T* ptr, size_t elements); template <class T> void setOutputs(std::vector<T*> ptrs, size_t elements); template <class T> void setOutputs(T** ptrs, size_t len, size_t elements);
  enum Algorithm { UNSPECIFIED, RING, BCUBE }; void setAlgorithm(Algorithm algorithm);
  using Func = std::function<void(void*, const void*, const void*, size_t)>; void setReduceFunction(Func fn); void setMaxSegmentSize(size_t maxSegmentSize); static constexpr size_t kMaxSegmentSize = 1024 * 1024;
};
void allreduce(const AllreduceOptions& opts);
}
