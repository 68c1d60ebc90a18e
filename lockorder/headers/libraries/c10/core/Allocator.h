// Parse-only stand-in for PyTorch: c10/core/Allocator.h.
#pragma once
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <c10/util/UniqueVoidPtr.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
namespace c10 {
using CaptureId_t = unsigned long long; using MempoolId_t = std::pair<CaptureId_t, CaptureId_t>;
class DataPtr { public: DataPtr(); DataPtr(void* data, Device device); DataPtr(void* data, void* ctx, DeleterFnPtr ctx_deleter, Device device); DataPtr(DataPtr&&) noexcept; DataPtr& operator=(DataPtr&&) noexcept; void* operator->() const; void clear(); void* get() const; void* mutable_get(); void* get_context() const; void* release_context(); operator bool() const; DeleterFnPtr get_deleter() const; bool compare_exchange_deleter(DeleterFnPtr expected_deleter, DeleterFnPtr new_deleter); Device device() const; };
bool operator==(const DataPtr&, std::nullptr_t) noexcept; bool operator!=(const DataPtr&, std::nullptr_t) noexcept;
struct Allocator { virtual ~Allocator() = default; virtual DataPtr allocate(size_t n) = 0; DataPtr clone(const void* data, std::size_t n); virtual bool is_simple_data_ptr(const DataPtr& data_ptr) const; virtual DeleterFnPtr raw_deleter() const; void* raw_allocate(size_t n); void raw_deallocate(void* ptr); virtual void copy_data(void* dest, const void* src, std::size_t count) const = 0; };
struct InefficientStdFunctionContext { static DataPtr makeDataPtr(void* ptr, std::function<void(void*)> deleter, Device device); };
void SetAllocator(DeviceType t, Allocator* alloc, uint8_t priority = 0); Allocator* GetAllocator(const DeviceType& t);
template <DeviceType t> struct AllocatorRegisterer { explicit AllocatorRegisterer(Allocator* alloc); };
#define REGISTER_ALLOCATOR(t, f) static c10::AllocatorRegisterer<t> g_allocator_d(f);
bool memoryProfilingEnabled(); void reportMemoryUsageToProfiler(void* ptr, int64_t alloc_size, size_t total_allocated, size_t total_reserved, Device device); void reportOutOfMemoryToProfiler(int64_t alloc_size, size_t total_allocated, size_t total_reserved, Device device);
struct GatheredContext { virtual ~GatheredContext() = default; };
namespace CachingAllocator { struct Stat { void increase(size_t amount); void decrease(size_t amount); void reset_accumulated(); void reset_peak(); int64_t current = 0, peak = 0, allocated = 0, freed = 0; }; enum struct StatType : uint64_t { AGGREGATE = 0, SMALL_POOL = 1, LARGE_POOL = 2, NUM_TYPES = 3 }; }
}
