// Parse-only stand-in for Gloo: gloo/gatherv.h.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>
#include "gloo/context.h"
#include "gloo/transport/unbound_buffer.h"
namespace gloo {
class GathervOptions {
 public:
  explicit GathervOptions(const std::shared_ptr<Context>& context); void setTag(uint32_t tag); void setTimeout(std::chrono::milliseconds timeout);
  void setInput(std::unique_ptr<transport::UnboundBuffer> buf, std::vector<int64_t> elementsPerRank); template <class T> void setInput(T* ptr, std::vector<int64_t> elementsPerRank);
  void setOutput(std::unique_ptr<transport::UnboundBuffer> buf, std::vector<int64_t> elementsPerRank); template <class T> void setOutput(T* ptr, std::vector<int64_t> elementsPerRank);
  void setRoot(int root);
};
void gatherv(GathervOptions& opts);
void gatherv(const GathervOptions& opts);
}
