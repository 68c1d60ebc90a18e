// Parse-only stand-in for libnuma's numaif.h.
#pragma once
#define MPOL_DEFAULT 0
#define MPOL_PREFERRED 1
#define MPOL_BIND 2
#define MPOL_INTERLEAVE 3
#define MPOL_LOCAL 4
#define MPOL_MF_STRICT 1
#define MPOL_MF_MOVE 2
#define MPOL_MF_MOVE_ALL 4
#define MPOL_F_NODE 1
#define MPOL_F_ADDR 2
#define MPOL_F_MEMS_ALLOWED 4
#ifdef __cplusplus
extern "C" {
#endif
long get_mempolicy(int* mode, unsigned long* nmask, unsigned long maxnode, void* addr, unsigned flags); long mbind(void* start, unsigned long len, int mode, const unsigned long* nmask, unsigned long maxnode, unsigned flags); long set_mempolicy(int mode, const unsigned long* nmask, unsigned long maxnode); long move_pages(int pid, unsigned long count, void** pages, const int* nodes, int* status, int flags);
#ifdef __cplusplus
}
#endif
