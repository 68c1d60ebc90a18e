// Parse-only stand-in for TensorPipe: tensorpipe/common/allocator.h.
#pragma once
#include <tensorpipe/common/error.h>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>
namespace tensorpipe { class Allocator { public: using TChunk = std::shared_ptr<uint8_t>; using TAllocCallback = std::function<void(const Error&, TChunk)>; explicit Allocator(uint8_t* data, size_t numChunks, size_t chunkSize); ~Allocator(); void alloc(size_t size, TAllocCallback callback); size_t getChunkLength() const; void close(); }; }
