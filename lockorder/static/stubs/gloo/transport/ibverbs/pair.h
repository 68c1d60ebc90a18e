// Parse-only stand-in for Gloo: gloo/transport/ibverbs/pair.h.
#pragma once
#include <infiniband/verbs.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include "gloo/transport/ibverbs/address.h"
#include "gloo/transport/ibverbs/device.h"
#include "gloo/transport/pair.h"
namespace gloo { namespace transport { namespace ibverbs {
class Buffer; class Device;
class BufferHandler { public: virtual ~BufferHandler() = default; virtual void handleCompletion(int rank, struct ibv_wc* wc) = 0; virtual void signalError(const std::exception_ptr& ex) = 0; virtual bool isPeristentHandler(); };
class Pair : public ::gloo::transport::Pair { public: explicit Pair(int rank, const std::shared_ptr<Device>& dev, std::chrono::milliseconds timeout); virtual ~Pair(); const Address& address() const override; void connect(const std::vector<char>& bytes) override; void setSync(bool enable, bool busyPoll) override; std::unique_ptr<::gloo::transport::Buffer> createSendBuffer(int slot, void* ptr, size_t size) override; std::unique_ptr<::gloo::transport::Buffer> createRecvBuffer(int slot, void* ptr, size_t size) override; bool isConnected() override; void send(transport::UnboundBuffer* tbuf, uint64_t tag, size_t offset, size_t nbytes) override; void recv(transport::UnboundBuffer* tbuf, uint64_t tag, size_t offset, size_t nbytes) override; void handleCompletionEvent(); void pollCompletions(); void handleCompletion(struct ibv_wc* wc); void send(Buffer* buf, size_t offset, size_t length, size_t roffset); void close() override; void signalIoFailure(const std::string& msg); protected: const int rank_; std::shared_ptr<Device> dev_; std::atomic<bool> sync_, busyPoll_; const std::chrono::milliseconds timeout_; int completionEventsHandled_; Address self_, peer_; struct ibv_cq* cq_; struct ibv_qp* qp_; std::mutex m_; std::condition_variable cv_; std::exception_ptr ex_; bool closed_; void sendMemoryRegion(struct ibv_mr* mr, int slot); void postReceive(); std::chrono::milliseconds getTimeout() const; const Address& peer() const; void checkErrorState(); friend class Buffer; };
} } }
