// Parse-only stand-in for Gloo: gloo/transport/tcp/listener.h.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include "gloo/transport/tcp/address.h"
#include "gloo/transport/tcp/attr.h"
#include "gloo/transport/tcp/error.h"
#include "gloo/transport/tcp/loop.h"
#include "gloo/transport/tcp/socket.h"
namespace gloo { namespace transport { namespace tcp {
class Listener final : public Handler { public: using connect_callback_t = std::function<void(std::shared_ptr<Socket> socket, const Error& error)>; static constexpr int kBacklog = -1; Listener(std::shared_ptr<Loop> loop, const attr& attr); ~Listener() override; void handleEvents(Loop& loop, int events) override; Address nextAddress(); Address nextAddress(int); void waitForConnection(sequence_number_t seq, connect_callback_t fn); void shutdown(); private: std::mutex mutex_; std::shared_ptr<Loop> loop_; std::shared_ptr<Socket> listener_; Address addr_; sequence_number_t seq_; void haveConnection(std::shared_ptr<Socket> socket, sequence_number_t seq); std::unordered_map<sequence_number_t, connect_callback_t> seqToCallback_; std::unordered_map<sequence_number_t, std::shared_ptr<Socket>> seqToSocket_; };
} } }
