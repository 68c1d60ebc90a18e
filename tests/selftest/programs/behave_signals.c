/* Signals: who gets them, what they interrupt, which masks hold. */
#include "turns.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int handled, returned;
static volatile sig_atomic_t on_other_stack;
static char other_stack[65536];

static void count(int signal)
{
    char here;
    (void)signal;
    on_other_stack = &here >= other_stack && &here < other_stack + sizeof other_stack;
    __atomic_add_fetch(&handled, 1, __ATOMIC_SEQ_CST);
}

static void handle(int signal, int flags)
{
    struct sigaction action = {.sa_handler = count, .sa_flags = flags};
    MUST(sigaction(signal, &action, NULL) == 0);
}

static void show_mask(const char *whose)
{
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    printf("%s blocks:", whose);
    for (int signal = 1; signal < 32; signal++) {
        if (sigismember(&mask, signal) == 1)
            printf(" %d", signal);
    }
    puts("");
}

static void *show_thread_mask(void *unused)
{
    show_mask("a new thread");
    return unused;
}

static void *wait_for_semaphore(void *unused)
{
    int result = sem_wait(&semaphore);
    printf("sem_wait: %d, interrupted: %d\n", result, errno == EINTR);
    reach(&returned, 1);
    return unused;
}

/* Signals are sent again and again until one of them comes while the thread waits. */
static void interrupted_semaphore(void)
{
    pthread_t thread;
    handle(SIGUSR1, 0);
    MUST(sem_init(&semaphore, 0, 0) == 0);
    MUST(pthread_create(&thread, NULL, wait_for_semaphore, NULL) == 0);
    while (!__atomic_load_n(&returned, __ATOMIC_SEQ_CST)) {
        MUST(pthread_kill(thread, SIGUSR1) == 0);
        sched_yield();
    }
    MUST(pthread_join(thread, NULL) == 0);
}

static int in_wait, ready;

static void *wait_for_condition(void *unused)
{
    pthread_mutex_lock(&mutex);
    reach(&in_wait, 1);
    while (!ready) {
        int result = pthread_cond_wait(&condition, &mutex);
        if (result != 0)
            printf("pthread_cond_wait: %d\n", result);
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void interrupted_condition(void)
{
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, wait_for_condition, NULL) == 0);
    wait_for(&in_wait, 1);
    pthread_mutex_lock(&mutex); /* it waits now */
    int before = __atomic_load_n(&handled, __ATOMIC_SEQ_CST);
    MUST(pthread_kill(thread, SIGUSR1) == 0);
    while (__atomic_load_n(&handled, __ATOMIC_SEQ_CST) == before)
        sched_yield(); /* a handler wakes nobody */
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    MUST(pthread_join(thread, NULL) == 0);
    puts("pthread_cond_wait went on");
}

static void alternate_stack(void)
{
    stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack}, old;
    MUST(sigaltstack(NULL, &old) == 0);
    printf("no alternate stack at first: %d\n", (old.ss_flags & SS_DISABLE) != 0);
    MUST(sigaltstack(&stack, NULL) == 0);
    handle(SIGUSR2, SA_ONSTACK);
    pthread_mutex_lock(&mutex);
    MUST(raise(SIGUSR2) == 0);
    pthread_mutex_unlock(&mutex);
    printf("on the other stack: %d\n", (int)on_other_stack);
}

static void dispositions(void)
{
    for (int signal = 1; signal < 32; signal++) {
        struct sigaction action;
        if (sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
            printf("signal %d is not left to its default\n", signal);
    }
}

static void child_killed(int signal)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        pthread_mutex_lock(&mutex);
        raise(signal);
        _exit(1);
    }
    MUST(waitpid(child, &status, 0) == child);
    printf("a child killed by %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : -1);
}

int main(void)
{
    sigset_t some;
    pthread_t thread;
    dispositions();
    show_mask("the first thread");
    sigemptyset(&some);
    sigaddset(&some, SIGHUP);
    sigaddset(&some, SIGURG);
    MUST(pthread_sigmask(SIG_BLOCK, &some, NULL) == 0);
    MUST(pthread_create(&thread, NULL, show_thread_mask, NULL) == 0);
    MUST(pthread_join(thread, NULL) == 0);
    show_mask("the first thread");
    interrupted_semaphore();
    interrupted_condition();
    alternate_stack();
    child_killed(SIGKILL);
    child_killed(SIGTERM);
    child_killed(SIGINT);
    return 0;
}
