// Parse-only stand-in for Gloo: gloo/transport/unbound_buffer.h.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>
#include "gloo/transport/remote_key.h"
namespace gloo { namespace transport {
class UnboundBuffer {
 public:
  using clock = std::chrono::high_resolution_clock;
  UnboundBuffer(void* ptr, size_t size); virtual ~UnboundBuffer() = 0; void* const ptr; const size_t size;
  virtual bool waitRecv(int* rank, std::chrono::milliseconds timeout) = 0; virtual bool waitSend(int* rank, std::chrono::milliseconds timeout) = 0; virtual void abortWaitRecv() = 0; virtual void abortWaitSend() = 0;
  bool waitRecv(); bool waitSend(); bool waitRecv(int* rank); bool waitSend(int* rank); bool waitRecv(std::chrono::milliseconds timeout); bool waitSend(std::chrono::milliseconds timeout); template <class C> bool waitRecv(std::chrono::time_point<C> deadline); template <class C> bool waitSend(std::chrono::time_point<C> deadline);
  static constexpr auto kUnspecifiedByteCount = std::numeric_limits<size_t>::max();
  virtual void send(int dstRank, uint64_t slot, size_t offset = 0, size_t nbytes = kUnspecifiedByteCount) = 0; virtual void recv(int srcRank, uint64_t slot, size_t offset = 0, size_t nbytes = kUnspecifiedByteCount) = 0; virtual void recv(std::vector<int> srcRanks, uint64_t slot, size_t offset = 0, size_t nbytes = kUnspecifiedByteCount) = 0;
  virtual std::unique_ptr<RemoteKey> getRemoteKey() const; virtual void put(const RemoteKey& key, uint64_t slot, size_t offset, size_t roffset, size_t nbytes); virtual void get(const RemoteKey& key, uint64_t slot, size_t offset, size_t roffset, size_t nbytes);
};
} }
