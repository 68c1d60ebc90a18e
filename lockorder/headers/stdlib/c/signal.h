/* Parse-only stand-in for <signal.h>. */
#pragma once
#include <sys/types.h>
#include <bits/sigset.h>
#include <time.h>
typedef int sig_atomic_t; typedef void (*sighandler_t)(int); typedef sighandler_t __sighandler_t; typedef sighandler_t sig_t;
#ifdef __cplusplus
union sigval { int sival_int; void* sival_ptr; }; typedef sigval sigval_t;
#else
typedef union sigval { int sival_int; void* sival_ptr; } sigval_t;
#endif
typedef struct siginfo_t { int si_signo, si_errno, si_code; pid_t si_pid; uid_t si_uid; int si_status; void* si_addr; union sigval si_value; int si_int; void* si_ptr; long si_band; int si_fd, si_timerid, si_overrun, si_syscall; long si_utime, si_stime; short si_addr_lsb; } siginfo_t;
struct sigaction { union { sighandler_t sa_handler; void (*sa_sigaction)(int, siginfo_t*, void*); }; sigset_t sa_mask; int sa_flags; void (*sa_restorer)(void); };
struct sigevent { union sigval sigev_value; int sigev_signo, sigev_notify; void (*sigev_notify_function)(union sigval); union pthread_attr_t* sigev_notify_attributes; };
typedef struct sigevent sigevent_t;
typedef struct { void* ss_sp; int ss_flags; size_t ss_size; } stack_t;
#define SIG_ERR ((sighandler_t)-1)
#define SIG_DFL ((sighandler_t)0)
#define SIG_IGN ((sighandler_t)1)
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
#define SIGEV_THREAD_ID 4
#define SI_USER 0
#define SI_KERNEL 0x80
#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define SI_MESGQ (-3)
#define SI_ASYNCIO (-4)
#define SI_TKILL (-6)
enum { ILL_ILLOPC = 1, ILL_ILLOPN, ILL_ILLADR, ILL_ILLTRP, ILL_PRVOPC, ILL_PRVREG, ILL_COPROC, ILL_BADSTK }; enum { FPE_INTDIV = 1, FPE_INTOVF, FPE_FLTDIV, FPE_FLTOVF, FPE_FLTUND, FPE_FLTRES, FPE_FLTINV, FPE_FLTSUB }; enum { SEGV_MAPERR = 1, SEGV_ACCERR, SEGV_BNDERR, SEGV_PKUERR }; enum { BUS_ADRALN = 1, BUS_ADRERR, BUS_OBJERR }; enum { TRAP_BRKPT = 1, TRAP_TRACE }; enum { CLD_EXITED = 1, CLD_KILLED, CLD_DUMPED, CLD_TRAPPED, CLD_STOPPED, CLD_CONTINUED };
#define NSIG 65
#define _NSIG 65
#define SIGRTMIN 34
#define SIGRTMAX 64
#define SIGABRT 6
#define SIGALRM 14
#define SIGBUS 7
#define SIGCHLD 17
#define SIGCLD 17
#define SIGCONT 18
#define SIGFPE 8
#define SIGHUP 1
#define SIGILL 4
#define SIGINT 2
#define SIGIO 29
#define SIGIOT 6
#define SIGKILL 9
#define SIGPIPE 13
#define SIGPOLL 29
#define SIGPROF 27
#define SIGPWR 30
#define SIGQUIT 3
#define SIGSEGV 11
#define SIGSTKFLT 16
#define SIGSTOP 19
#define SIGSYS 31
#define SIGTERM 15
#define SIGTRAP 5
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGVTALRM 26
#define SIGWINCH 28
#define SIGXCPU 24
#define SIGXFSZ 25
#include <sys/ucontext.h>
__BEGIN_DECLS
extern const char* const sys_siglist[65];
sighandler_t signal(int, sighandler_t); int kill(pid_t, int); int killpg(pid_t, int); int raise(int); int tgkill(pid_t, pid_t, int); int sigemptyset(sigset_t*); int sigfillset(sigset_t*); int sigaddset(sigset_t*, int); int sigdelset(sigset_t*, int); int sigismember(const sigset_t*, int); int sigisemptyset(const sigset_t*); int sigprocmask(int, const sigset_t* __restrict, sigset_t* __restrict); int sigsuspend(const sigset_t*); int sigaction(int, const struct sigaction* __restrict, struct sigaction* __restrict); int sigpending(sigset_t*); int sigwait(const sigset_t* __restrict, int* __restrict); int sigwaitinfo(const sigset_t* __restrict, siginfo_t* __restrict); int sigtimedwait(const sigset_t* __restrict, siginfo_t* __restrict, const struct timespec* __restrict); int sigqueue(pid_t, int, const union sigval); int siginterrupt(int, int); int sigaltstack(const stack_t* __restrict, stack_t* __restrict); void psignal(int, const char*); void psiginfo(const siginfo_t*, const char*); int pthread_sigmask(int, const sigset_t* __restrict, sigset_t* __restrict); int pthread_kill(pthread_t, int); int pthread_sigqueue(pthread_t, int, const union sigval);
__END_DECLS
