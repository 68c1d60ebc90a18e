// Parse-only stand-in for Gloo: gloo/transport/pair.h.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>
#include "gloo/transport/address.h"
#include "gloo/transport/buffer.h"
#include "gloo/transport/unbound_buffer.h"
namespace gloo { namespace transport {
class Pair {
 public:
  virtual ~Pair() = 0; virtual const Address& address() const = 0; virtual void connect(const std::vector<char>& bytes) = 0; virtual void close() = 0; virtual void setSync(bool enable, bool busyPoll) = 0; virtual std::unique_ptr<Buffer> createSendBuffer(int slot, void* ptr, size_t size) = 0; virtual std::unique_ptr<Buffer> createRecvBuffer(int slot, void* ptr, size_t size) = 0; virtual bool isConnected() = 0;
  virtual void send(UnboundBuffer* tbuf, uint64_t tag, size_t offset = 0, size_t nbytes = 0) = 0; virtual void recv(UnboundBuffer* tbuf, uint64_t tag, size_t offset = 0, size_t nbytes = 0) = 0; virtual void put(UnboundBuffer* tbuf, const RemoteKey& key, uint64_t slot, size_t offset, size_t roffset, size_t nbytes); virtual void get(UnboundBuffer* tbuf, const RemoteKey& key, uint64_t slot, size_t offset, size_t roffset, size_t nbytes);
  void setLocalRank(int localRank); int getLocalRank() const;
};
} }
