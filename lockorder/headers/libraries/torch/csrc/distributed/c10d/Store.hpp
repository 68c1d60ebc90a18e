// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/Store.hpp.
#pragma once
#include <torch/custom_class.h>
#include <torch/csrc/Export.h>
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
#include <stdexcept>
namespace c10d {
using WatchKeyCallback = std::function<void(c10::optional<std::string>, c10::optional<std::string>)>;
class Store : public torch::CustomClassHolder {
 public:
  static constexpr std::chrono::milliseconds kDefaultTimeout = std::chrono::seconds(300); static constexpr std::chrono::milliseconds kNoTimeout = std::chrono::milliseconds::zero();
  Store(); explicit Store(const std::chrono::milliseconds& timeout); Store(const Store&) = default; Store(Store&&) noexcept = default; virtual ~Store() = default;
  void set(const std::string& key, const std::string& value); virtual void set(const std::string& key, const std::vector<uint8_t>& value) = 0; std::string compareSet(const std::string& key, const std::string& currentValue, const std::string& newValue); virtual std::vector<uint8_t> compareSet(const std::string& key, const std::vector<uint8_t>& currentValue, const std::vector<uint8_t>& newValue); std::string get_to_str(const std::string& key); virtual std::vector<uint8_t> get(const std::string& key) = 0; virtual int64_t add(const std::string& key, int64_t value) = 0; virtual bool deleteKey(const std::string& key) = 0; virtual bool check(const std::vector<std::string>& keys) = 0; virtual int64_t getNumKeys() = 0; virtual void wait(const std::vector<std::string>& keys) = 0; virtual void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) = 0; virtual const std::chrono::milliseconds& getTimeout() const noexcept; virtual void setTimeout(const std::chrono::milliseconds& timeout); virtual void watchKey(const std::string& key, WatchKeyCallback callback); virtual void append(const std::string& key, const std::vector<uint8_t>& value); virtual std::vector<std::vector<uint8_t>> multiGet(const std::vector<std::string>& keys); virtual void multiSet(const std::vector<std::string>& keys, const std::vector<std::vector<uint8_t>>& values); virtual bool hasExtendedApi() const;
 protected:
  std::chrono::milliseconds timeout_;
};
class StoreTimeoutGuard { public: explicit StoreTimeoutGuard(Store& store, const std::chrono::milliseconds& timeout); ~StoreTimeoutGuard(); StoreTimeoutGuard(const StoreTimeoutGuard&) = delete; };
}
