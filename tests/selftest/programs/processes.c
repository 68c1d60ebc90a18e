/* processes CASE: fork, exec, spawn: which process a lock belongs to, and what a child inherits. */
#include "turns.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

extern char **environ;

static const char *myself;

static pthread_mutex_t A = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t B = PTHREAD_MUTEX_INITIALIZER;

static void nest(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static NOINLINE void forwards(void)
{
    nest(&A, &B);
}

static NOINLINE void backwards(void)
{
    nest(&B, &A);
}

static void orders(void)
{
    two_in_turn(forwards, backwards);
}

static void order(void)
{
    two_in_turn(forwards, forwards);
}

/* ---- fork --------------------------------------------------------------------------------- */

static void wait_for_child(pid_t child)
{
    int status;
    MUST(child > 0);
    MUST(waitpid(child, &status, 0) == child);
    MUST(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void in_child(act does)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        does();
        exit(0);
    }
    wait_for_child(child);
}

static void nothing(void)
{
}

static void fork_orders(void)
{
    in_child(orders);
}

static void fork_order(void)
{
    in_child(order);
}

/* One order here, the other one in the child, on copies of the locks. */
static void fork_apart(void)
{
    in_thread(forwards);
    in_child(backwards);
}

/* What the parent did before the fork is no part of what the child does. */
static void backwards_in_thread(void)
{
    in_thread(backwards);
}

static void fork_apart_in_threads(void)
{
    in_thread(forwards);
    in_child(backwards_in_thread);
}

static void without_flushing(void)
{
    orders();
    _exit(0);
}

static void fork_orders_and_exit_at_once(void)
{
    in_child(without_flushing);
}

static int taken, give_up;

static void *keep_a(void *unused)
{
    pthread_mutex_lock(&A);
    reach(&taken, 1);
    wait_for(&give_up, 1);
    pthread_mutex_unlock(&A);
    return unused;
}

static void while_another_holds_a(void (*what)(act), act does)
{
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, keep_a, NULL) == 0);
    wait_for(&taken, 1);
    what(does);
    reach(&give_up, 1);
    MUST(pthread_join(thread, NULL) == 0);
}

static void fork_with_lock_of_another(void)
{
    while_another_holds_a(in_child, nothing);
}

static void fork_with_own_lock(void)
{
    pthread_mutex_lock(&A);
    in_child(nothing);
    pthread_mutex_unlock(&A);
}

static void before_fork(void)
{
    pthread_mutex_lock(&A);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&A);
}

/* As libraries protect their state: the fork waits for the lock, both sides give it up. */
static void fork_with_handlers(void)
{
    MUST(pthread_atfork(before_fork, after_fork, after_fork) == 0);
    in_thread(forwards);
    in_child(order);
}

/* Handlers run in the forking thread, under what it holds. */
static void fork_handlers_orders(void)
{
    MUST(pthread_atfork(before_fork, after_fork, after_fork) == 0);
    in_thread(forwards);
    pthread_mutex_lock(&B);
    in_child(nothing);
    pthread_mutex_unlock(&B);
}

static void grandchild(int pipe, act does)
{
    MUST(setsid() >= 0);
    pid_t second = fork();
    MUST(second >= 0);
    if (second != 0)
        _exit(0);
    MUST(chdir("/") == 0);
    int null = open("/dev/null", O_RDWR);
    MUST(null >= 0);
    for (int fd = 0; fd <= 2; fd++)
        MUST(dup2(null, fd) == fd);
    does();
    MUST(write(pipe, "d", 1) == 1);
    exit(0);
}

/* A daemon: forked twice, in a session of its own, without its parent's files. */
static void daemon_that(act does)
{
    int pipes[2];
    char done;
    MUST(pipe(pipes) == 0);
    fflush(stdout);
    pid_t first = fork();
    if (first == 0)
        grandchild(pipes[1], does);
    wait_for_child(first);
    MUST(close(pipes[1]) == 0);
    MUST(read(pipes[0], &done, 1) == 1);
    MUST(read(pipes[0], &done, 1) == 0); /* its end: everything that it records is recorded */
    MUST(close(pipes[0]) == 0);
}

static void daemon_orders(void)
{
    daemon_that(orders);
}

static void daemon_order(void)
{
    daemon_that(order);
}

/* A daemon of the old school closes whatever it did not open. */
static void close_all_then(act does)
{
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    does();
}

static void closed_files_orders(void)
{
    close_all_then(orders);
}

static void closed_files_order(void)
{
    close_all_then(order);
}

/* ---- exec --------------------------------------------------------------------------------- */

static void become(const char *name)
{
    fflush(stdout);
    execl(myself, myself, name, (char *)NULL);
    MUST(!"exec");
}

static void exec_orders(void)
{
    become("orders");
}

static void exec_order(void)
{
    become("order");
}

static void main_backwards(void)
{
    backwards();
}

/* The same locks, perhaps at the same addresses, of the same process: but another program. */
static void exec_apart(void)
{
    in_thread(forwards);
    become("main-backwards");
}

static void orders_then_exec(void)
{
    orders();
    become("nothing");
}

static void start_by_vfork(const char *name)
{
    fflush(stdout);
    pid_t child = vfork();
    if (child == 0) {
        execl(myself, myself, name, (char *)NULL);
        _exit(127);
    }
    wait_for_child(child);
}

static void vfork_orders(void)
{
    start_by_vfork("orders");
}

static void vfork_order(void)
{
    start_by_vfork("order");
    order();
}

/* The parent's own records go on after the child has run in its memory. */
static void vfork_between(void)
{
    in_thread(forwards);
    start_by_vfork("nothing");
    in_thread(backwards);
}

static void start_by_spawn(const char *name)
{
    char *const arguments[] = {(char *)myself, (char *)name, NULL};
    pid_t child;
    fflush(stdout);
    MUST(posix_spawn(&child, myself, NULL, NULL, arguments, environ) == 0);
    wait_for_child(child);
}

static void spawn_orders(void)
{
    start_by_spawn("orders");
}

static void spawn_order(void)
{
    start_by_spawn("order");
}

static void spawn_nothing(act unused)
{
    (void)unused;
    start_by_spawn("nothing");
}

/* No code of this program runs in the child, so that nobody can miss the lock's holder. */
static void spawn_with_lock_of_another(void)
{
    while_another_holds_a(spawn_nothing, nothing);
}

int main(int argc, char **argv)
{
    static const struct named_case cases[] = {
        {"orders", orders},
        {"order", order},
        {"nothing", nothing},
        {"main-backwards", main_backwards},
        {"fork-orders", fork_orders},
        {"fork-order", fork_order},
        {"fork-apart", fork_apart},
        {"fork-apart-in-threads", fork_apart_in_threads},
        {"fork-orders-and-exit-at-once", fork_orders_and_exit_at_once},
        {"fork-with-lock-of-another", fork_with_lock_of_another},
        {"fork-with-own-lock", fork_with_own_lock},
        {"fork-with-handlers", fork_with_handlers},
        {"fork-handlers-orders", fork_handlers_orders},
        {"daemon-orders", daemon_orders},
        {"daemon-order", daemon_order},
        {"closed-files-orders", closed_files_orders},
        {"closed-files-order", closed_files_order},
        {"exec-orders", exec_orders},
        {"exec-order", exec_order},
        {"exec-apart", exec_apart},
        {"orders-then-exec", orders_then_exec},
        {"vfork-orders", vfork_orders},
        {"vfork-order", vfork_order},
        {"vfork-between", vfork_between},
        {"spawn-orders", spawn_orders},
        {"spawn-order", spawn_order},
        {"spawn-with-lock-of-another", spawn_with_lock_of_another},
    };
    myself = argv[0];
    return RUN_CASE(cases, argc, argv);
}
