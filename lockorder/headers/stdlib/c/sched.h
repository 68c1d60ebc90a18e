/* Parse-only stand-in for <sched.h>. */
#pragma once
#include <sys/types.h>
#include <time.h>
struct sched_param { int sched_priority; };
typedef struct { unsigned long bits[16]; } cpu_set_t;
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5
#define SCHED_RESET_ON_FORK 0x40000000
#define CLONE_VM 0x100
#define CLONE_FS 0x200
#define CLONE_FILES 0x400
#define CLONE_SIGHAND 0x800
#define CLONE_THREAD 0x10000
#define CLONE_NEWNS 0x20000
#define CLONE_NEWUSER 0x10000000
#define CLONE_NEWPID 0x20000000
#define CLONE_NEWNET 0x40000000
#define CPU_SETSIZE 1024
#define __CPU_SETSIZE 1024
#define __NCPUBITS 64
__BEGIN_DECLS
int sched_yield(void); int sched_get_priority_max(int); int sched_get_priority_min(int); int sched_getparam(pid_t, struct sched_param*); int sched_setparam(pid_t, const struct sched_param*); int sched_getscheduler(pid_t); int sched_setscheduler(pid_t, int, const struct sched_param*); int sched_rr_get_interval(pid_t, struct timespec*); int sched_getaffinity(pid_t, size_t, cpu_set_t*); int sched_setaffinity(pid_t, size_t, const cpu_set_t*); int sched_getcpu(void); int getcpu(unsigned int*, unsigned int*); int clone(int (*)(void*), void*, int, void*, ...); int unshare(int); int setns(int, int); cpu_set_t* __lo_cpu_alloc(size_t); void __lo_cpu_op(size_t, cpu_set_t*); int __lo_cpu_get(size_t, const cpu_set_t*);
__END_DECLS
#define CPU_ZERO(s) __lo_cpu_op(0, s)
#define CPU_SET(c, s) __lo_cpu_op(c, s)
#define CPU_CLR(c, s) __lo_cpu_op(c, s)
#define CPU_ISSET(c, s) __lo_cpu_get(c, s)
#define CPU_COUNT(s) __lo_cpu_get(0, s)
#define CPU_EQUAL(a, b) (__lo_cpu_get(0, a) == __lo_cpu_get(0, b))
#define CPU_AND(d, a, b) ((void)(*(d) = *(a)), (void)(b))
#define CPU_OR(d, a, b) ((void)(*(d) = *(a)), (void)(b))
#define CPU_XOR(d, a, b) ((void)(*(d) = *(a)), (void)(b))
#define CPU_ZERO_S(n, s) __lo_cpu_op(n, s)
#define CPU_SET_S(c, n, s) __lo_cpu_op((c) + (n), s)
#define CPU_CLR_S(c, n, s) __lo_cpu_op((c) + (n), s)
#define CPU_ISSET_S(c, n, s) __lo_cpu_get((c) + (n), s)
#define CPU_COUNT_S(n, s) __lo_cpu_get(n, s)
#define CPU_ALLOC(n) __lo_cpu_alloc(n)
#define CPU_ALLOC_SIZE(n) (((size_t)(n) + 63) / 64 * 8)
#define CPU_FREE(s) ((void)(s))
