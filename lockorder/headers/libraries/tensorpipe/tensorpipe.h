// Parse-only stand-in for tensorpipe/tensorpipe.h.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>
#include <tensorpipe/common/error.h>
#define TENSORPIPE_HAS_SHM_TRANSPORT 1
#define TENSORPIPE_HAS_IBV_TRANSPORT 1
#define TENSORPIPE_HAS_CMA_CHANNEL 1
#define TENSORPIPE_SUPPORTS_CUDA 1
#define TENSORPIPE_HAS_CUDA_IPC_CHANNEL 1
#define TENSORPIPE_HAS_CUDA_GDR_CHANNEL 1
namespace tensorpipe {
class LogicError final : public BaseError { public: std::string what() const override; }; class ContextClosedError final : public BaseError { public: std::string what() const override; }; class ListenerClosedError final : public BaseError { public: std::string what() const override; }; class PipeClosedError final : public BaseError { public: std::string what() const override; }; class ContextNotViableError; class DeviceError;
constexpr const char* kCpuDeviceType = "cpu"; constexpr const char* kCudaDeviceType = "cuda";
struct Device { std::string type; int index; Device(); Device(std::string type, int index); explicit Device(std::string s); std::string toString() const; bool operator==(const Device&) const; };
}
namespace std { template <> struct hash<tensorpipe::Device> { size_t operator()(const tensorpipe::Device&) const noexcept; }; }
namespace tensorpipe {
struct CpuBuffer { void* ptr{nullptr}; Device getDevice() const; };
class Buffer { public: Buffer(); template <class T> Buffer(T b) {} template <class T> T& unwrap(); template <class T> const T& unwrap() const; Device device() const; };
class Message final { public: Message() = default; std::string metadata; struct Payload { void* data{nullptr}; size_t length{0}; std::string metadata; }; std::vector<Payload> payloads; struct Tensor { tensorpipe::Buffer buffer; size_t length{0}; Device targetDevice; std::string metadata; }; std::vector<Tensor> tensors; };
class Descriptor final { public: std::string metadata; struct Payload { size_t length{0}; std::string metadata; }; std::vector<Payload> payloads; struct Tensor { size_t length{0}; Device sourceDevice; struct { bool has_value() const; Device value() const; explicit operator bool() const; Device& operator*(); } targetDevice; std::string metadata; }; std::vector<Tensor> tensors; };
class Allocation final { public: struct Payload { void* data{nullptr}; }; std::vector<Payload> payloads; struct Tensor { tensorpipe::Buffer buffer; }; std::vector<Tensor> tensors; };
namespace transport {
class Context { public: virtual bool isViable() const = 0; virtual const std::string& domainDescriptor() const = 0; virtual void setId(std::string id) = 0; virtual void close() = 0; virtual void join() = 0; virtual ~Context() = default; };
class Connection; class Listener { public: virtual std::string addr() const = 0; virtual void close() = 0; virtual ~Listener() = default; };
namespace uv { std::shared_ptr<Context> create(); std::tuple<Error, std::string> lookupAddrForHostname(); std::tuple<Error, std::string> lookupAddrForIface(std::string iface); }
namespace shm { std::shared_ptr<Context> create(); } namespace ibv { std::shared_ptr<Context> create(); std::tuple<Error, std::string> lookupAddrForHostname(); std::tuple<Error, std::string> lookupAddrForIface(std::string iface); }
}
namespace channel {
class Context { public: virtual bool isViable() const = 0; virtual const std::unordered_map<Device, std::string>& deviceDescriptors() const = 0; virtual void close() = 0; virtual void join() = 0; virtual ~Context() = default; };
namespace basic { std::shared_ptr<Context> create(); } namespace xth { std::shared_ptr<Context> create(); } namespace cma { std::shared_ptr<Context> create(); } namespace mpt { std::shared_ptr<Context> create(std::vector<std::shared_ptr<transport::Context>> contexts, std::vector<std::shared_ptr<transport::Listener>> listeners); }
}
class ContextOptions { public: ContextOptions&& name(std::string name) &&; };
class PipeOptions { public: PipeOptions&& remoteName(std::string name) &&; };
class Pipe final { public: using read_descriptor_callback_fn = std::function<void(const Error&, Descriptor)>; using read_callback_fn = std::function<void(const Error&)>; using write_callback_fn = std::function<void(const Error&)>; void readDescriptor(read_descriptor_callback_fn fn); void read(Allocation allocation, read_callback_fn fn); void write(Message message, write_callback_fn fn); const std::string& getRemoteName(); void close(); ~Pipe(); };
class Listener final { public: using accept_callback_fn = std::function<void(const Error&, std::shared_ptr<Pipe>)>; void accept(accept_callback_fn fn); const std::string& address(const std::string& transport) const; std::string url(const std::string& transport) const; void close(); ~Listener(); };
class Context final { public: explicit Context(ContextOptions opts = ContextOptions()); void registerTransport(int64_t priority, std::string transport, std::shared_ptr<transport::Context> context); void registerChannel(int64_t priority, std::string channel, std::shared_ptr<channel::Context> context); std::shared_ptr<Listener> listen(const std::vector<std::string>& urls); std::shared_ptr<Pipe> connect(const std::string& url, PipeOptions opts = PipeOptions()); void close(); void join(); ~Context(); };
}
