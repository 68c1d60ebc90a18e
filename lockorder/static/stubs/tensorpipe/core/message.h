// Parse-only stand-in for TensorPipe: tensorpipe/core/message.h.
#pragma once
#include <tensorpipe/common/buffer.h>
#include <tensorpipe/common/device.h>
#include <tensorpipe/common/optional.h>
#include <memory>
#include <string>
#include <vector>
namespace tensorpipe {
class Message final { public: Message() = default; std::string metadata; struct Payload { void* data{nullptr}; size_t length{0}; std::string metadata; }; std::vector<Payload> payloads; struct Tensor { tensorpipe::Buffer buffer; size_t length{0}; optional<Device> targetDevice; std::string metadata; }; std::vector<Tensor> tensors; };
class Descriptor final { public: std::string metadata; struct Payload { size_t length{0}; std::string metadata; }; std::vector<Payload> payloads; struct Tensor { size_t length{0}; Device sourceDevice; optional<Device> targetDevice; std::string metadata; }; std::vector<Tensor> tensors; };
class Allocation final { public: struct Payload { void* data{nullptr}; }; std::vector<Payload> payloads; struct Tensor { tensorpipe::Buffer buffer; }; std::vector<Tensor> tensors; };
}
