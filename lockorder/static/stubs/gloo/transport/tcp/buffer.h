// Parse-only stand-in for Gloo: gloo/transport/tcp/buffer.h.
#pragma once
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include "gloo/transport/buffer.h"
#include "gloo/transport/tcp/device.h"
namespace gloo { namespace transport { namespace tcp {
class Pair;
class Buffer : public ::gloo::transport::Buffer { public: virtual ~Buffer(); void send(size_t offset, size_t length, size_t roffset = 0) override; void waitRecv() override; void waitSend() override; void handleRecvCompletion(); void handleSendCompletion(); protected: Buffer(Pair* pair, int slot, void* ptr, size_t size); Pair* pair_; std::mutex m_; std::condition_variable recvCv_, sendCv_; int recvCompletions_, sendCompletions_; std::atomic<int> sendPending_; std::exception_ptr ex_; void throwIfException(); void signalException(std::exception_ptr); friend class Pair; };
} } }
