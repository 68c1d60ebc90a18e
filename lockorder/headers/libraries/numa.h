// Parse-only stand-in for libnuma's numa.h.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#ifdef __cplusplus
extern "C" {
#endif
struct bitmask { unsigned long size; unsigned long* maskp; }; extern struct bitmask *numa_no_nodes_ptr, *numa_all_nodes_ptr, *numa_all_cpus_ptr;
int numa_available(void); int numa_max_node(void); int numa_max_possible_node(void); int numa_num_configured_nodes(void); int numa_num_configured_cpus(void); int numa_num_task_cpus(void); int numa_preferred(void); long long numa_node_size64(int node, long long* freep); long numa_node_size(int node, long* freep); int numa_pagesize(void); void numa_bind(struct bitmask* nodes); void numa_set_preferred(int node); void numa_set_localalloc(void); void numa_set_membind(struct bitmask* nodemask); struct bitmask* numa_get_membind(void); void numa_set_strict(int f); void* numa_alloc_onnode(size_t size, int node); void* numa_alloc_local(size_t size); void* numa_alloc_interleaved(size_t size); void* numa_alloc(size_t size); void numa_free(void* mem, size_t size); void numa_tonode_memory(void* start, size_t size, int node); int numa_run_on_node(int node); int numa_run_on_node_mask(struct bitmask* m); struct bitmask* numa_get_run_node_mask(void); int numa_node_of_cpu(int cpu); int numa_node_to_cpus(int node, struct bitmask* m); int numa_distance(int a, int b); int numa_sched_getaffinity(pid_t pid, struct bitmask* m); int numa_sched_setaffinity(pid_t pid, struct bitmask* m);
struct bitmask* numa_allocate_nodemask(void); struct bitmask* numa_allocate_cpumask(void); void numa_free_nodemask(struct bitmask* b); void numa_free_cpumask(struct bitmask* b); struct bitmask* numa_bitmask_alloc(unsigned int n); struct bitmask* numa_bitmask_setbit(struct bitmask* b, unsigned int n); struct bitmask* numa_bitmask_clearbit(struct bitmask* b, unsigned int n); struct bitmask* numa_bitmask_setall(struct bitmask* b); struct bitmask* numa_bitmask_clearall(struct bitmask* b); int numa_bitmask_isbitset(const struct bitmask* b, unsigned int n); unsigned int numa_bitmask_weight(const struct bitmask* b); void numa_bitmask_free(struct bitmask* b); struct bitmask* numa_parse_nodestring(const char* s); int numa_move_pages(int pid, unsigned long count, void** pages, const int* nodes, int* status, int flags);
#define numa_all_nodes numa_all_nodes_ptr
#ifdef __cplusplus
}
#endif
