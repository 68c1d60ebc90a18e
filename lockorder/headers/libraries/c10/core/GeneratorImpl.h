// Parse-only stand-in for PyTorch: c10/core/GeneratorImpl.h.
#pragma once
#include <c10/core/Device.h>
#include <c10/util/intrusive_ptr.h>
#include <mutex>
namespace c10 { struct GeneratorImpl : public c10::intrusive_ptr_target { std::mutex mutex_; Device device() const; virtual void set_current_seed(uint64_t seed) = 0; virtual uint64_t current_seed() const = 0; virtual uint64_t seed() = 0; }; }
