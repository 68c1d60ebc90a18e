// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/HashStore.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>
namespace c10d {
class HashStore : public Store {
 public:
  HashStore() = default; virtual ~HashStore(); using Store::set; using Store::compareSet;
  void set(const std::string& key, const std::vector<uint8_t>& value) override; std::vector<uint8_t> compareSet(const std::string& key, const std::vector<uint8_t>& expectedValue, const std::vector<uint8_t>& desiredValue) override; std::vector<uint8_t> get(const std::string& key) override; int64_t add(const std::string& key, int64_t value) override; bool deleteKey(const std::string& key) override; bool check(const std::vector<std::string>& keys) override; int64_t getNumKeys() override; void wait(const std::vector<std::string>& keys) override; void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override; void append(const std::string& key, const std::vector<uint8_t>& value) override; std::vector<std::vector<uint8_t>> multiGet(const std::vector<std::string>& keys) override; void multiSet(const std::vector<std::string>& keys, const std::vector<std::vector<uint8_t>>& values) override; bool hasExtendedApi() const override; 
 protected:
  std::unordered_map<std::string, std::vector<uint8_t>> map_; std::mutex m_; std::condition_variable cv_;
};
}
