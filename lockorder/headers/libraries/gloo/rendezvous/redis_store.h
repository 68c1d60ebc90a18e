// Parse-only stand-in for Gloo: gloo/rendezvous/redis_store.h.
#pragma once
#include <memory>
#include "gloo/rendezvous/store.h"
namespace gloo { namespace rendezvous { class RedisStore : public Store { public: explicit RedisStore(const std::string& host, int port = 6379); virtual ~RedisStore(); void set(const std::string& key, const std::vector<char>& data) override; std::vector<char> get(const std::string& key) override; void wait(const std::vector<std::string>& keys) override; void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override; }; } }
