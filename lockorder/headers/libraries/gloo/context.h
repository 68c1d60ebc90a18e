// Parse-only stand-in for Gloo: gloo/context.h.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>
#include "gloo/transport/pair.h"
#include "gloo/transport/unbound_buffer.h"
namespace gloo {
namespace transport { class Context; class Device; }
class Context {
 public:
  Context(int rank, int size, int base = 2); virtual ~Context(); const int rank; const int size; int base;
  std::shared_ptr<transport::Device>& getDevice(); std::unique_ptr<transport::Pair>& getPair(int i); std::unique_ptr<transport::UnboundBuffer> createUnboundBuffer(void* ptr, size_t size); int nextSlot(int numToSkip = 1); void closeConnections(); void setTimeout(std::chrono::milliseconds timeout); std::chrono::milliseconds getTimeout() const; std::unique_ptr<transport::RemoteKey> deserializeRemoteKey(const std::string& serialized);
 protected:
  std::shared_ptr<transport::Device> device_; std::shared_ptr<transport::Context> transportContext_; int slot_; std::chrono::milliseconds timeout_;
};
}
