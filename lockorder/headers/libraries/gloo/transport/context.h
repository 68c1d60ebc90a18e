// Parse-only stand-in for Gloo: gloo/transport/context.h.
#pragma once
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>
#include "gloo/common/store.h"
#include "gloo/transport/pair.h"
#include "gloo/transport/unbound_buffer.h"
namespace gloo { namespace transport {
class Context {
 public:
  using slot_t = uint64_t; using rank_t = int;
  Context(int rank, int size); virtual ~Context(); const int rank; const int size;
  virtual std::unique_ptr<Pair>& getPair(int rank); virtual std::unique_ptr<Pair>& createPair(int rank) = 0; virtual void createAndConnectAllPairs(std::shared_ptr<IStore> store); virtual std::unique_ptr<UnboundBuffer> createUnboundBuffer(void* ptr, size_t size) = 0; void setTimeout(std::chrono::milliseconds timeout); std::chrono::milliseconds getTimeout() const; virtual std::unique_ptr<RemoteKey> deserializeRemoteKey(const std::string& serialized);
 protected:
  std::mutex mutex_; std::vector<std::unique_ptr<Pair>> pairs_; std::chrono::milliseconds timeout_;
};
} }
