// Parse-only stand-in for PyTorch: c10/cuda/CUDACachingAllocator.h.
#pragma once
#include <c10/core/Allocator.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/cuda/CUDAGraphsC10Utils.h>
#include <c10/cuda/CUDAMacros.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Registry.h>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>
namespace c10 {
class CUDAOutOfMemoryError : public c10::Error { using Error::Error; };
class FreeMemoryCallback { public: virtual ~FreeMemoryCallback() = default; virtual bool Execute() = 0; };
C10_DECLARE_REGISTRY(FreeCudaMemoryCallbacksRegistry, FreeMemoryCallback);
#define REGISTER_FREE_MEMORY_CALLBACK(name, ...) C10_REGISTER_CLASS(FreeCudaMemoryCallbacksRegistry, name, __VA_ARGS__)
namespace cuda { namespace CUDACachingAllocator {
const size_t kLargeBuffer = 20971520;
struct BlockInfo { size_t size = 0, requested_size = 0; int32_t gc_counter = 0; bool allocated = false, active = false; };
struct SegmentInfo { DeviceIndex device = 0; size_t address = 0, total_size = 0, requested_size = 0, allocated_size = 0, active_size = 0; cudaStream_t stream = nullptr; bool is_large = false, is_expandable = false; std::vector<BlockInfo> blocks; };
struct AllocatorState { virtual ~AllocatorState() = default; }; struct TraceEntry { enum Action { ALLOC, FREE_REQUESTED, FREE_COMPLETED, SEGMENT_ALLOC, SEGMENT_FREE, SEGMENT_MAP, SEGMENT_UNMAP, SNAPSHOT, OOM, USER_DEFINED }; Action action_; int device_; size_t addr_, size_; };
struct SnapshotInfo { std::vector<SegmentInfo> segments; std::vector<std::vector<TraceEntry>> device_traces; };
enum struct RecordContext { NEVER = 0, STATE = 1, ALLOC = 2, ALL = 3 };
using CreateContextFn = std::shared_ptr<GatheredContext> (*)(); using OutOfMemoryObserver = std::function<void(int64_t device, size_t allocated, size_t device_total, size_t device_free)>; using AllocatorTraceTracker = std::function<void(const TraceEntry&)>;
class CUDAAllocator : public Allocator {
 public:
  virtual void* raw_alloc(size_t nbytes) = 0; virtual void* raw_alloc_with_stream(size_t nbytes, cudaStream_t stream) = 0; virtual void raw_delete(void* ptr) = 0; virtual void init(int device_count) = 0; virtual bool initialized() = 0; virtual void setMemoryFraction(double fraction, DeviceIndex device) = 0; virtual void emptyCache() = 0; virtual void cacheInfo(DeviceIndex device, size_t* largestBlock) = 0; virtual void* getBaseAllocation(void* ptr, size_t* size) = 0; virtual void recordStream(const DataPtr&, CUDAStream stream) = 0; virtual void resetAccumulatedStats(DeviceIndex device) = 0; virtual void resetPeakStats(DeviceIndex device) = 0; virtual SnapshotInfo snapshot() = 0; virtual void beginAllocateToPool(DeviceIndex device, MempoolId_t mempool_id, std::function<bool(cudaStream_t)> filter) = 0; virtual void endAllocateToPool(DeviceIndex device, MempoolId_t mempool_id) = 0; virtual void releasePool(DeviceIndex device, MempoolId_t mempool_id) = 0; virtual std::shared_ptr<void> getIpcDevPtr(std::string handle) = 0; virtual void attachOutOfMemoryObserver(OutOfMemoryObserver observer) = 0; virtual void attachAllocatorTraceTracker(AllocatorTraceTracker tracker) = 0; virtual std::string name() = 0;
};
extern std::atomic<CUDAAllocator*> allocator; CUDAAllocator* get();
void* raw_alloc(size_t nbytes); void* raw_alloc_with_stream(size_t nbytes, cudaStream_t stream); void raw_delete(void* ptr); void init(int device_count); void setMemoryFraction(double fraction, DeviceIndex device); void emptyCache(); void cacheInfo(DeviceIndex device, size_t* largestBlock); void* getBaseAllocation(void* ptr, size_t* size); void recordStream(const DataPtr& dataPtr, CUDAStream stream); void resetAccumulatedStats(DeviceIndex device); void resetPeakStats(DeviceIndex device); SnapshotInfo snapshot(); std::shared_ptr<AllocatorState> getCheckpointState(DeviceIndex device, MempoolId_t id); void beginAllocateToPool(DeviceIndex device, MempoolId_t mempool_id, std::function<bool(cudaStream_t)> filter); void endAllocateToPool(DeviceIndex device, MempoolId_t mempool_id); void releasePool(DeviceIndex device, MempoolId_t mempool_id); void recordHistory(bool enabled, CreateContextFn context_recorder, size_t alloc_trace_max_entries, RecordContext when); void attachOutOfMemoryObserver(OutOfMemoryObserver observer); void attachAllocatorTraceTracker(AllocatorTraceTracker tracker); std::shared_ptr<void> getIpcDevPtr(std::string handle); std::string name();
} } }
