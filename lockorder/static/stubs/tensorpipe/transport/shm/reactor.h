// Parse-only stand-in for TensorPipe: tensorpipe/transport/shm/reactor.h.
#pragma once
#include <tensorpipe/common/busy_polling_loop.h>
#include <tensorpipe/common/fd.h>
#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>
namespace tensorpipe { namespace transport { namespace shm { class Reactor final : public BusyPollingLoop { public: using TFunction = std::function<void()>; using TToken = uint32_t; Reactor(); TToken add(TFunction fn); void remove(TToken token); std::tuple<int, int> fds() const; void close(); void join(); ~Reactor(); class Trigger { public: Trigger(Fd header, Fd data); void run(TToken token); }; protected: bool pollOnce() override; bool readyToClose() override; private: std::mutex mutex_; std::atomic<bool> closed_, joined_; std::set<TToken> reusableTokens_; std::vector<TFunction> functions_; std::atomic<uint64_t> functionCount_; }; } } }
