/* Parse-only stand-in for <sys/wait.h>. */
#pragma once
#include <sys/types.h>
#include <signal.h>
#include <stdlib.h>
#define WNOHANG 1
#define WUNTRACED 2
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x1000000
typedef enum { P_ALL, P_PID, P_PGID, P_PIDFD } idtype_t;
struct rusage;
__BEGIN_DECLS
pid_t wait(int*); pid_t waitpid(pid_t, int*, int); int waitid(idtype_t, id_t, siginfo_t*, int); pid_t wait3(int*, int, struct rusage*); pid_t wait4(pid_t, int*, int, struct rusage*);
__END_DECLS
