// Parse-only stand-in for Gloo: gloo/rendezvous/store.h.
#pragma once
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>
#include "gloo/common/logging.h"
#include "gloo/common/error.h"
#include "gloo/common/store.h"
namespace gloo { namespace rendezvous {
class Store : public IStore {
 public:
  static constexpr std::chrono::milliseconds kDefaultTimeout = std::chrono::seconds(30);
  virtual ~Store() = default; virtual void set(const std::string& key, const std::vector<char>& data) = 0; virtual std::vector<char> get(const std::string& key) = 0; virtual void wait(const std::vector<std::string>& keys) = 0; virtual void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout); std::vector<char> wait_get(const std::string& key, const std::chrono::milliseconds& timeout) override;
  virtual bool has_v2_support(); virtual std::vector<std::vector<char>> multi_get(const std::vector<std::string>& keys); virtual void multi_set(const std::vector<std::string>& keys, const std::vector<std::vector<char>>& values); virtual void append(const std::string& key, const std::vector<char>& value); virtual int64_t add(const std::string& key, int64_t value);
};
} }
