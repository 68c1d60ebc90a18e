// Parse-only stand-in for NVSHMEM's nvshmem.h (host API).
#pragma once
#include "cuda_runtime.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef int32_t nvshmem_team_t;
#define NVSHMEM_TEAM_INVALID -1
#define NVSHMEM_TEAM_WORLD 0
#define NVSHMEM_TEAM_SHARED 1
#define NVSHMEMX_TEAM_NODE 2
#define NVSHMEM_MAJOR_VERSION 3
#define NVSHMEM_MINOR_VERSION 2
enum { NVSHMEM_CMP_EQ, NVSHMEM_CMP_NE, NVSHMEM_CMP_GT, NVSHMEM_CMP_LE, NVSHMEM_CMP_LT, NVSHMEM_CMP_GE }; enum { NVSHMEM_SIGNAL_SET = 9, NVSHMEM_SIGNAL_ADD }; enum { NVSHMEM_THREAD_SINGLE, NVSHMEM_THREAD_FUNNELED, NVSHMEM_THREAD_SERIALIZED, NVSHMEM_THREAD_MULTIPLE };
typedef struct { int version, num_contexts; } nvshmem_team_config_t;
void nvshmem_init(void); int nvshmem_init_thread(int requested, int* provided); void nvshmem_finalize(void); void nvshmem_global_exit(int status); int nvshmem_my_pe(void); int nvshmem_n_pes(void); void nvshmem_info_get_version(int* major, int* minor); void* nvshmem_malloc(size_t size); void* nvshmem_calloc(size_t count, size_t size); void* nvshmem_align(size_t alignment, size_t size); void nvshmem_free(void* ptr); void* nvshmem_ptr(const void* dest, int pe);
void nvshmem_barrier_all(void); int nvshmem_barrier(nvshmem_team_t team); void nvshmem_sync_all(void); int nvshmem_team_sync(nvshmem_team_t team); void nvshmem_quiet(void); void nvshmem_fence(void); void nvshmem_putmem(void* dest, const void* source, size_t n, int pe); void nvshmem_getmem(void* dest, const void* source, size_t n, int pe); void nvshmem_putmem_nbi(void* dest, const void* source, size_t n, int pe); void nvshmem_getmem_nbi(void* dest, const void* source, size_t n, int pe); void nvshmem_putmem_signal(void* dest, const void* source, size_t n, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe); void nvshmem_putmem_signal_nbi(void* dest, const void* source, size_t n, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe); uint64_t nvshmem_signal_fetch(uint64_t* sig_addr); uint64_t nvshmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t v);
int nvshmem_team_my_pe(nvshmem_team_t team); int nvshmem_team_n_pes(nvshmem_team_t team); int nvshmem_team_split_strided(nvshmem_team_t parent, int start, int stride, int size, const nvshmem_team_config_t* config, long mask, nvshmem_team_t* team); int nvshmem_team_translate_pe(nvshmem_team_t src, int pe, nvshmem_team_t dst); void nvshmem_team_destroy(nvshmem_team_t team); int nvshmem_broadcastmem(nvshmem_team_t team, void* dest, const void* source, size_t n, int root); int nvshmem_alltoallmem(nvshmem_team_t team, void* dest, const void* source, size_t n); int nvshmem_fcollectmem(nvshmem_team_t team, void* dest, const void* source, size_t n);
#ifdef __cplusplus
}
#endif
