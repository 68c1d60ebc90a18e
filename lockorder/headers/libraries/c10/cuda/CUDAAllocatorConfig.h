// Parse-only stand-in for PyTorch: c10/cuda/CUDAAllocatorConfig.h.
#pragma once
#include <c10/cuda/CUDAMacros.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>
#include <atomic>
#include <mutex>
#include <string>
#include <vector>
namespace c10 { namespace cuda { namespace CUDACachingAllocator {
class CUDAAllocatorConfig { public: static size_t max_split_size(); static double garbage_collection_threshold(); static bool expandable_segments(); static bool release_lock_on_cudamalloc(); static bool graph_capture_record_stream_reuse(); static bool pinned_use_cuda_host_register(); static size_t pinned_num_register_threads(); static bool pinned_use_background_threads(); static size_t pinned_max_register_threads(); static size_t roundup_power2_divisions(size_t size); static std::vector<size_t> roundup_power2_divisions(); static size_t max_non_split_rounding_size(); static std::string last_allocator_settings(); static CUDAAllocatorConfig& instance(); void parseArgs(const char* env); };
void setAllocatorSettings(const std::string& env);
} } }
