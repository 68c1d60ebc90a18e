/* Parse-only stand-in for <sys/shm.h>. */
#pragma once
#include <sys/ipc.h>
#include <time.h>
#define SHM_RDONLY 010000
#define SHM_RND 020000
#define SHM_HUGETLB 04000
#define SHM_R 0400
#define SHM_W 0200
typedef unsigned long shmatt_t;
struct shmid_ds { struct ipc_perm shm_perm; size_t shm_segsz; time_t shm_atime, shm_dtime, shm_ctime; pid_t shm_cpid, shm_lpid; shmatt_t shm_nattch; };
__BEGIN_DECLS
int shmctl(int, int, struct shmid_ds*); int shmget(key_t, size_t, int); void* shmat(int, const void*, int); int shmdt(const void*);
__END_DECLS
