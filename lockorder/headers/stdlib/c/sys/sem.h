/* Parse-only stand-in for <sys/sem.h>. */
#pragma once
#include <sys/ipc.h>
#include <time.h>
#define SEM_UNDO 0x1000
#define GETPID 11
#define GETVAL 12
#define GETALL 13
#define SETVAL 16
#define SETALL 17
struct sembuf { unsigned short sem_num; short sem_op, sem_flg; }; struct semid_ds { struct ipc_perm sem_perm; time_t sem_otime, sem_ctime; unsigned long sem_nsems; };
__BEGIN_DECLS
int semctl(int, int, int, ...); int semget(key_t, int, int); int semop(int, struct sembuf*, size_t); int semtimedop(int, struct sembuf*, size_t, const struct timespec*);
__END_DECLS
