// Parse-only stand-in for Gloo: gloo/transport/tcp/pair.h.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include "gloo/common/error.h"
#include "gloo/common/memory.h"
#include "gloo/transport/pair.h"
#include "gloo/transport/tcp/address.h"
#include "gloo/transport/tcp/device.h"
#include "gloo/transport/tcp/error.h"
#include "gloo/transport/tcp/loop.h"
#include "gloo/transport/tcp/socket.h"
namespace gloo { namespace transport { namespace tcp {
class Buffer; class Context; class UnboundBuffer;
constexpr auto kLargeTimeDuration = std::chrono::hours(100);
struct Op { enum Opcode { SEND_BUFFER = 0, SEND_UNBOUND_BUFFER = 1, NOTIFY_SEND_READY = 2, NOTIFY_RECV_READY = 3 }; enum Opcode getOpcode(); struct { size_t nbytes = 0, opcode = 0, slot = 0, offset = 0, length = 0, roffset = 0; } preamble; Buffer* buf = nullptr; WeakNonOwningPtr<UnboundBuffer> ubuf; size_t nread = 0, nwritten = 0, offset = 0, nbytes = 0; };
class Pair : public ::gloo::transport::Pair, public Handler {
 protected:
  enum state { INITIALIZING = 1, LISTENING = 2, CONNECTING = 3, CONNECTED = 4, CLOSED = 5 };
 public:
  explicit Pair(Context* context, Device* device, int rank, std::chrono::milliseconds timeout, bool useRankAsSeqNumber = false); virtual ~Pair(); Pair(const Pair&) = delete;
  const Address& address() const override; void connect(const std::vector<char>& bytes) override; void setSync(bool sync, bool busyPoll) override; std::unique_ptr<::gloo::transport::Buffer> createSendBuffer(int slot, void* ptr, size_t size) override; std::unique_ptr<::gloo::transport::Buffer> createRecvBuffer(int slot, void* ptr, size_t size) override; void send(transport::UnboundBuffer* tbuf, uint64_t tag, size_t offset, size_t nbytes) override; void recv(transport::UnboundBuffer* tbuf, uint64_t tag, size_t offset, size_t nbytes) override; bool tryRecv(transport::UnboundBuffer* tbuf, uint64_t tag, size_t offset, size_t nbytes); void handleEvents(Loop& loop, int events) override; void close() override; bool isConnected() override;
 protected:
  Context* const context_; Device* const device_; const int rank_; state state_; std::atomic<bool> sync_; const std::chrono::milliseconds timeout_; bool busyPoll_; int fd_; size_t sendBufferSize_; Address self_, peer_; std::mutex m_; std::condition_variable cv_; std::map<int, Buffer*> buffers_; using UnboundBufferOp = std::tuple<WeakNonOwningPtr<UnboundBuffer>, size_t, size_t>; std::unordered_map<uint64_t, std::deque<UnboundBufferOp>> localPendingSend_, localPendingRecv_; Op rx_; std::deque<Op> tx_; std::exception_ptr ex_;
  void sendUnboundBuffer(WeakNonOwningPtr<UnboundBuffer> buf, uint64_t slot, size_t offset, size_t nbytes); void sendNotifyRecvReady(uint64_t slot, size_t nbytes); void sendNotifySendReady(uint64_t slot, size_t nbytes); void connectCallback(std::shared_ptr<Socket> socket, const Error& error); Buffer* getBuffer(int slot); void registerBuffer(Buffer* buf); void unregisterBuffer(Buffer* buf); void sendSyncMode(Op& op); void sendAsyncMode(Op& op); void send(Op& op); void recv(); const Address& peer() const; bool isSync() const; std::chrono::milliseconds getTimeout() const; std::exception_ptr signalExceptionExternal(const std::string& msg); virtual bool write(Op& op); virtual bool read(); void handleReadWrite(int events); void handleRemotePendingSend(const Op& op); void handleRemotePendingRecv(const Op& op); virtual void waitUntilConnected(std::unique_lock<std::mutex>& lock, bool useTimeout); virtual void verifyConnected(); void throwIfException(); void signalException(const std::string& msg); void signalException(std::exception_ptr); void signalAndThrowException(const std::string& msg); void signalAndThrowException(std::exception_ptr ex); virtual void changeState(state nextState) noexcept; friend class Buffer; friend class Context;
};
} } }
