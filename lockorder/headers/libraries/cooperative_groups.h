// Parse-only stand-in for CUDA's cooperative_groups.h.
#pragma once
#include "vector_types.h"
#ifdef __cplusplus
namespace cooperative_groups {
struct thread_group { void sync() const; unsigned long long size() const; unsigned long long thread_rank() const; unsigned long long num_threads() const; bool is_valid() const; dim3 group_index() const; dim3 thread_index() const; dim3 group_dim() const; template <class T> T shfl(T v, int) const; template <class T> T shfl_down(T v, unsigned) const; template <class T> T shfl_up(T v, unsigned) const; template <class T> T shfl_xor(T v, unsigned) const; int any(int) const; int all(int) const; unsigned ballot(int) const; unsigned meta_group_rank() const; unsigned meta_group_size() const; };
struct thread_block : thread_group {}; struct grid_group : thread_group {}; struct multi_grid_group : thread_group {}; struct cluster_group : thread_group { unsigned block_rank() const; unsigned num_blocks() const; template <class T> T* map_shared_rank(T*, int) const; static void barrier_arrive(); static void barrier_wait(); }; struct coalesced_group : thread_group {};
template <unsigned N, class P = void> struct thread_block_tile : thread_group {};
thread_block this_thread_block(); grid_group this_grid(); multi_grid_group this_multi_grid(); cluster_group this_cluster(); coalesced_group coalesced_threads(); template <class G> thread_group tiled_partition(const G&, unsigned); template <unsigned N, class G> thread_block_tile<N, G> tiled_partition(const G&); template <class G> void sync(const G&);
template <class T> struct plus {}; template <class T> struct less {}; template <class T> struct greater {}; template <class G, class T, class O> T reduce(const G&, T, O); template <class G, class... A> void memcpy_async(const G&, A&&...); template <class G> void wait(const G&); template <class T> struct inclusive_scan_t; template <class G, class... A> int exclusive_scan(const G&, A...);
}
#endif
