// Parse-only stand-in for TensorPipe: tensorpipe/common/memory.h.
#pragma once
#include <sys/mman.h>
#include <tensorpipe/common/defs.h>
#include <cstdint>
#include <memory>
namespace tensorpipe { class MmappedPtr { public: MmappedPtr(); MmappedPtr(size_t length, int prot, int flags, int fd); MmappedPtr(MmappedPtr&&) noexcept; MmappedPtr& operator=(MmappedPtr&&) noexcept; uint8_t* ptr(); const uint8_t* ptr() const; size_t getLength() const; void reset(); }; }
