// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/FileStore.hpp.
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
#include <sys/types.h>
namespace c10d {
class FileStore : public Store {
 public:
  explicit FileStore(std::string path, int numWorkers); virtual ~FileStore(); using Store::set; using Store::compareSet;
  void set(const std::string& key, const std::vector<uint8_t>& value) override; std::vector<uint8_t> compareSet(const std::string& key, const std::vector<uint8_t>& expectedValue, const std::vector<uint8_t>& desiredValue) override; std::vector<uint8_t> get(const std::string& key) override; int64_t add(const std::string& key, int64_t value) override; bool deleteKey(const std::string& key) override; bool check(const std::vector<std::string>& keys) override; int64_t getNumKeys() override; void wait(const std::vector<std::string>& keys) override; void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override; void append(const std::string& key, const std::vector<uint8_t>& value) override; std::vector<std::vector<uint8_t>> multiGet(const std::vector<std::string>& keys) override; void multiSet(const std::vector<std::string>& keys, const std::vector<std::vector<uint8_t>>& values) override; bool hasExtendedApi() const override; const std::string& getPath() const noexcept;
 protected:
  int64_t addHelper(const std::string& key, int64_t i); std::string path_; off_t pos_{0}; int numWorkers_; const std::string cleanupKey_, refCountKey_, regularPrefix_, deletePrefix_; std::unordered_map<std::string, std::vector<uint8_t>> cache_; std::mutex activeFileOpLock_;
};
}
