/* Parse-only stand-in for <semaphore.h>. */
#pragma once
#include <sys/types.h>
#include <time.h>
typedef union { char bytes[32]; long word; } sem_t;
#define SEM_FAILED ((sem_t*)0)
__BEGIN_DECLS
int sem_init(sem_t*, int, unsigned int); int sem_destroy(sem_t*); sem_t* sem_open(const char*, int, ...); int sem_close(sem_t*); int sem_unlink(const char*); int sem_wait(sem_t*); int sem_timedwait(sem_t* __restrict, const struct timespec* __restrict); int sem_clockwait(sem_t* __restrict, clockid_t, const struct timespec* __restrict); int sem_trywait(sem_t*); int sem_post(sem_t*); int sem_getvalue(sem_t* __restrict, int* __restrict);
__END_DECLS
