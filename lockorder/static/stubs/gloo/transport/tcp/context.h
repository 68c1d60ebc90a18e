// Parse-only stand-in for Gloo: gloo/transport/tcp/context.h.
#pragma once
#include <deque>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include "gloo/common/memory.h"
#include "gloo/common/store.h"
#include "gloo/transport/context.h"
#include "gloo/transport/tcp/device.h"
namespace gloo { namespace transport { namespace tcp {
class Device; class Pair; class UnboundBuffer;
class Context : public ::gloo::transport::Context, public std::enable_shared_from_this<Context> { public: Context(std::shared_ptr<Device> device, int rank, int size); virtual ~Context(); void createAndConnectAllPairs(std::shared_ptr<IStore> store) override; std::unique_ptr<transport::Pair>& createPair(int rank) override; std::unique_ptr<transport::Pair>& getPair(int rank) override; std::unique_ptr<transport::UnboundBuffer> createUnboundBuffer(void* ptr, size_t size) override; protected: std::shared_ptr<Device> device_; std::shared_ptr<IStore> store_; std::mutex m_; using pendingRecvTuple = std::tuple<WeakNonOwningPtr<UnboundBuffer>, size_t, size_t, std::unordered_set<int>>; std::unordered_map<uint64_t, std::deque<pendingRecvTuple>> pendingRecv_; void recvFromAny(UnboundBuffer* buf, uint64_t slot, size_t offset, size_t nbytes, std::vector<int> srcRanks); int recvFromAnyFindRank(UnboundBuffer* buf, uint64_t slot, size_t offset, size_t nbytes, const std::vector<int>& srcRanks); bool findRecvFromAny(uint64_t slot, int rank, WeakNonOwningPtr<tcp::UnboundBuffer>* buf, size_t* offset, size_t* nbytes); void signalException(const std::string& msg); friend class UnboundBuffer; friend class Pair; };
} } }
