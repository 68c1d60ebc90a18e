// Parse-only stand-in for Gloo: gloo/transport/buffer.h.
#pragma once
#include <cstddef>
#include <memory>
namespace gloo { namespace transport { class Buffer { public: explicit Buffer(int slot, void* ptr, size_t size); virtual ~Buffer() = 0; virtual void setDebug(bool debug); virtual void send(size_t offset, size_t length, size_t roffset = 0) = 0; void send(); virtual void waitRecv() = 0; virtual void waitSend() = 0; protected: int slot_; void* ptr_; size_t size_; bool debug_; }; } }
