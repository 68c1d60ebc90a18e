// Parse-only stand-in for Gloo: gloo/transport/ibverbs/buffer.h.
#pragma once
#include <infiniband/verbs.h>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include "gloo/transport/buffer.h"
#include "gloo/transport/ibverbs/device.h"
#include "gloo/transport/ibverbs/pair.h"
namespace gloo { namespace transport { namespace ibverbs { class Buffer : public ::gloo::transport::Buffer, public BufferHandler { public: virtual ~Buffer(); void send(size_t offset, size_t length, size_t roffset = 0) override; void waitRecv() override; void waitSend() override; void handleCompletion(int rank, struct ibv_wc* wc) override; void signalError(const std::exception_ptr& ex) override; void checkErrorState(); protected: Buffer(Pair* pair, int slot, void* ptr, size_t size); Pair* pair_; struct ibv_mr* mr_; std::mutex m_; std::condition_variable recvCv_, sendCv_; int recvCompletions_, sendCompletions_; std::atomic<int> sendPending_; std::exception_ptr ex_; friend class Pair; }; } } }
