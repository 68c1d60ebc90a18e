// Parse-only stand-in for Gloo: gloo/rendezvous/prefix_store.h.
#pragma once
#include <memory>
#include "gloo/rendezvous/store.h"
namespace gloo { namespace rendezvous { class PrefixStore : public Store { public: PrefixStore(const std::string& prefix, Store& store); PrefixStore(const std::string& prefix, std::shared_ptr<Store> store); virtual ~PrefixStore(); void set(const std::string& key, const std::vector<char>& data) override; std::vector<char> get(const std::string& key) override; void wait(const std::vector<std::string>& keys) override; void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override; }; } }
