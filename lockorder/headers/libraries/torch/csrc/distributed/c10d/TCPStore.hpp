// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/TCPStore.hpp.
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
#include <cstddef>
namespace c10d {
namespace detail { class TCPServer; class TCPClient; struct SocketAddress { std::string host{}; std::uint16_t port{}; }; }
struct TCPStoreOptions { static constexpr std::uint16_t kDefaultPort = 29500; std::uint16_t port = kDefaultPort; bool isServer = false; c10::optional<std::size_t> numWorkers; bool waitWorkers = true; std::chrono::milliseconds timeout = Store::kDefaultTimeout; bool multiTenant = false; c10::optional<int> masterListenFd; bool useLibUV = true; };
class TCPStore : public Store {
 public:
  explicit TCPStore(std::string host, const TCPStoreOptions& opts = {}); explicit TCPStore(const std::string& masterAddr, std::uint16_t masterPort, c10::optional<int> numWorkers = {}, bool isServer = false, const std::chrono::milliseconds& timeout = kDefaultTimeout, bool waitWorkers = true); virtual ~TCPStore(); using Store::set; using Store::compareSet;
  void set(const std::string& key, const std::vector<uint8_t>& value) override; std::vector<uint8_t> compareSet(const std::string& key, const std::vector<uint8_t>& expectedValue, const std::vector<uint8_t>& desiredValue) override; std::vector<uint8_t> get(const std::string& key) override; int64_t add(const std::string& key, int64_t value) override; bool deleteKey(const std::string& key) override; bool check(const std::vector<std::string>& keys) override; int64_t getNumKeys() override; void wait(const std::vector<std::string>& keys) override; void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override; void append(const std::string& key, const std::vector<uint8_t>& value) override; std::vector<std::vector<uint8_t>> multiGet(const std::vector<std::string>& keys) override; void multiSet(const std::vector<std::string>& keys, const std::vector<std::vector<uint8_t>>& values) override; bool hasExtendedApi() const override; void waitForWorkers(); const std::string& getHost() const noexcept; std::uint16_t getPort() const noexcept; bool isLibUvBackend() const noexcept; std::string repr() const;
 protected:
  int64_t incrementValueBy(const std::string& key, int64_t delta); void validate(); std::vector<uint8_t> doGet(const std::string& key); void doWait(c10::ArrayRef<std::string> keys, std::chrono::milliseconds timeout); detail::SocketAddress addr_; std::shared_ptr<detail::TCPServer> server_; std::unique_ptr<detail::TCPClient> client_; c10::optional<std::size_t> numWorkers_; const std::string initKey_ = "init/", keyPrefix_ = "/"; std::mutex activeOpLock_; bool usingLibUv_ = true;
};
}
