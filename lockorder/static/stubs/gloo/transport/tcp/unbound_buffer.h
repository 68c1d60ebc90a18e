// Parse-only stand-in for Gloo: gloo/transport/tcp/unbound_buffer.h.
#pragma once
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include "gloo/common/memory.h"
#include "gloo/transport/unbound_buffer.h"
namespace gloo { namespace transport { namespace tcp {
class Context; class Pair;
class UnboundBuffer : public ::gloo::transport::UnboundBuffer { public: UnboundBuffer(const std::shared_ptr<Context>& context, void* ptr, size_t size); virtual ~UnboundBuffer(); bool waitRecv(int* rank, std::chrono::milliseconds timeout) override; bool waitSend(int* rank, std::chrono::milliseconds timeout) override; void abortWaitRecv() override; void abortWaitSend() override; void send(int dstRank, uint64_t slot, size_t offset, size_t nbytes) override; void recv(int srcRank, uint64_t slot, size_t offset, size_t nbytes) override; void recv(std::vector<int> srcRanks, uint64_t slot, size_t offset, size_t nbytes) override; void handleRecvCompletion(int rank); void handleSendCompletion(int rank); protected: std::shared_ptr<Context> context_; std::mutex m_; std::condition_variable recvCv_, sendCv_; bool abortWaitRecv_, abortWaitSend_; int recvCompletions_, recvRank_, sendCompletions_, sendRank_; std::exception_ptr ex_; void throwIfException(); void signalException(std::exception_ptr); ShareableNonOwningPtr<UnboundBuffer> shareableNonOwningPtr_; WeakNonOwningPtr<UnboundBuffer> getWeakNonOwningPtr() const; friend class Context; friend class Pair; };
} } }
