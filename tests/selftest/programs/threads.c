/* threads CASE: where in a thread's life locks are taken: before main, in signal handlers, in
 * destructors of thread-specific data, after main; on small stacks; in pthread_once.
 */
#include "turns.h"

#include <limits.h>
#include <signal.h>

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

/* ---- before and after main ---------------------------------------------------------------- */

static int early_turn, early_done;
static pthread_t early;
static act early_act;

static void *early_main(void *unused)
{
    wait_for(&early_turn, 1);
    early_act();
    reach(&early_done, 1);
    return unused;
}

__attribute__((constructor)) static void start_early(void)
{
    MUST(pthread_create(&early, NULL, early_main, NULL) == 0);
}

static void run_early(act does)
{
    early_act = does;
    reach(&early_turn, 1);
    wait_for(&early_done, 1);
}

static void nothing(void)
{
}

static void before_main_orders(void)
{
    run_early(forwards);
    backwards();
}

static void before_main_order(void)
{
    run_early(forwards);
    forwards();
}

static void after_main_orders(void)
{
    MUST(atexit(backwards) == 0);
    in_thread(forwards);
}

static void after_main_order(void)
{
    MUST(atexit(forwards) == 0);
    in_thread(forwards);
}

/* ---- signal handlers ---------------------------------------------------------------------- */

static void handler(int signal)
{
    (void)signal;
    pthread_mutex_lock(&A);
    pthread_mutex_unlock(&A);
}

static void interrupted(pthread_mutex_t *held)
{
    struct sigaction action = {.sa_handler = handler};
    MUST(sigaction(SIGUSR1, &action, NULL) == 0);
    if (held)
        pthread_mutex_lock(held);
    MUST(raise(SIGUSR1) == 0); /* handled before raise returns */
    if (held)
        pthread_mutex_unlock(held);
}

static void interrupted_under_b(void)
{
    interrupted(&B);
}

static void interrupted_alone(void)
{
    interrupted(NULL);
}

static void handler_orders(void)
{
    two_in_turn(forwards, interrupted_under_b);
}

static void handler_order(void)
{
    two_in_turn(forwards, interrupted_alone);
}

/* ---- how threads end ---------------------------------------------------------------------- */

static pthread_key_t key;

static void *with_data(void *act)
{
    MUST(pthread_setspecific(key, act) == 0);
    pthread_exit(NULL);
}

/* Runs an act as the destructor of a thread's data, by which time its main function is over. */
static void in_destructor(act does)
{
    static act kept;
    pthread_t thread;
    kept = does;
    MUST(pthread_create(&thread, NULL, with_data, &kept) == 0);
    MUST(pthread_join(thread, NULL) == 0);
}

static void run_data(void *of)
{
    (*(act *)of)();
}

static void destructor_orders(void)
{
    MUST(pthread_key_create(&key, run_data) == 0);
    in_destructor(forwards);
    in_thread(backwards);
}

static void destructor_order(void)
{
    MUST(pthread_key_create(&key, run_data) == 0);
    in_destructor(forwards);
    in_thread(forwards);
}

static void unlock_data(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

static void *hold_until_the_end(void *mutex)
{
    MUST(pthread_setspecific(key, mutex) == 0);
    pthread_mutex_lock(mutex);
    return NULL;
}

/* The thread ends with the lock held, and its data's destructor gives it up. */
static void destructor_unlocks(void)
{
    pthread_t thread;
    MUST(pthread_key_create(&key, unlock_data) == 0);
    MUST(pthread_create(&thread, NULL, hold_until_the_end, &A) == 0);
    MUST(pthread_join(thread, NULL) == 0);
    forwards();
}

static void *exit_holding(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_exit(NULL);
}

static void ends_holding(void)
{
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, exit_holding, &A) == 0);
    MUST(pthread_join(thread, NULL) == 0);
}

static void *lock_and_leave_to(void *turn)
{
    pthread_mutex_lock(&A);
    reach(turn, 1);
    pause();
    return NULL;
}

static void *detached_forwards(void *done)
{
    forwards();
    reach(done, 1);
    return NULL;
}

static void detached_orders(void)
{
    static int done;
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, detached_forwards, &done) == 0);
    MUST(pthread_detach(thread) == 0);
    wait_for(&done, 1);
    backwards();
}

/* The process ends while a thread is at work with a lock: that is no thread that forgot it. */
static void process_ends_around_holder(void)
{
    static int turn;
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, lock_and_leave_to, &turn) == 0);
    wait_for(&turn, 1);
}

static void process_killed_holding(void)
{
    pthread_mutex_lock(&A);
    fflush(stdout);
    raise(SIGKILL);
}

/* The initial thread ends by itself, the process goes on without it. */
static void *after_the_first(void *first)
{
    MUST(pthread_join(*(pthread_t *)first, NULL) == 0);
    backwards();
    puts("the last thread: done");
    return NULL;
}

static void first_thread_exits(void)
{
    static pthread_t first;
    pthread_t last;
    run_early(nothing); /* or the process would wait for it */
    first = pthread_self();
    forwards();
    MUST(pthread_create(&last, NULL, after_the_first, &first) == 0);
    pthread_exit(NULL);
}

/* ---- small stacks ------------------------------------------------------------------------- */

static void *small_main(void *of)
{
    (*(act *)of)();
    return NULL;
}

static void on_small_stack(act does)
{
    pthread_attr_t attributes;
    pthread_t thread;
    MUST(pthread_attr_init(&attributes) == 0);
#ifdef __x86_64__
    size_t smallest = 16384;
#else
    size_t smallest = PTHREAD_STACK_MIN; /* 128 KiB on aarch64 */
#endif
    MUST(pthread_attr_setstacksize(&attributes, smallest) == 0);
    MUST(pthread_create(&thread, &attributes, small_main, &does) == 0);
    MUST(pthread_join(thread, NULL) == 0);
    MUST(pthread_attr_destroy(&attributes) == 0);
}

static void small_stack_orders(void)
{
    on_small_stack(forwards);
    on_small_stack(backwards);
}

static void small_stack_order(void)
{
    on_small_stack(forwards);
    on_small_stack(forwards);
}

/* ---- pthread_once ------------------------------------------------------------------------- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int given_up;

static void take_a(void)
{
    pthread_mutex_lock(&A);
    pthread_mutex_unlock(&A);
}

/* The first thread to come does not complete the initialisation, so that another one runs it. */
static void take_a_and_give_up(void)
{
    take_a();
    if (!given_up++)
        pthread_exit(NULL);
}

static void nothing_and_give_up(void)
{
    if (!given_up++)
        pthread_exit(NULL);
}

static act initialiser;

static void *call_once(void *under)
{
    if (under)
        pthread_mutex_lock(under);
    pthread_once(&once, initialiser);
    if (under)
        pthread_mutex_unlock(under);
    return NULL;
}

static void once_in_thread(act init, pthread_mutex_t *under)
{
    pthread_t thread;
    initialiser = init;
    MUST(pthread_create(&thread, NULL, call_once, under) == 0);
    MUST(pthread_join(thread, NULL) == 0);
}

static void once_orders(void)
{
    once_in_thread(take_a_and_give_up, NULL);
    once_in_thread(nothing, &A);
}

static void once_order(void)
{
    once_in_thread(nothing_and_give_up, NULL);
    once_in_thread(nothing, &A);
}

/* The initialiser is over before a second thread comes with a lock: sooner, it would have waited.
 */
static void once_completed_orders(void)
{
    once_in_thread(take_a, NULL);
    once_in_thread(take_a, &A);
}

static void once_completed_around(void)
{
    once_in_thread(take_a, NULL);
    once_in_thread(take_a, &B);
    in_thread(forwards);
}

static void once_completed_order(void)
{
    once_in_thread(take_a, NULL);
    once_in_thread(take_a, &B);
    in_thread(backwards);
}

/* The thread that needs it is the one that made it. */
static void *make_and_need(void *nothing_)
{
    pthread_once(&once, take_a);
    pthread_mutex_lock(&A);
    pthread_once(&once, take_a);
    pthread_mutex_unlock(&A);
    return nothing_;
}

static void once_completed_alone(void)
{
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, make_and_need, NULL) == 0);
    MUST(pthread_join(thread, NULL) == 0);
}

int main(int argc, char **argv)
{
    static const struct named_case cases[] = {
        {"before-main-orders", before_main_orders},
        {"before-main-order", before_main_order},
        {"after-main-orders", after_main_orders},
        {"after-main-order", after_main_order},
        {"handler-orders", handler_orders},
        {"handler-order", handler_order},
        {"destructor-orders", destructor_orders},
        {"destructor-order", destructor_order},
        {"destructor-unlocks", destructor_unlocks},
        {"ends-holding", ends_holding},
        {"detached-orders", detached_orders},
        {"process-ends-around-holder", process_ends_around_holder},
        {"process-killed-holding", process_killed_holding},
        {"first-thread-exits", first_thread_exits},
        {"small-stack-orders", small_stack_orders},
        {"small-stack-order", small_stack_order},
        {"once-orders", once_orders},
        {"once-order", once_order},
        {"once-completed-orders", once_completed_orders},
        {"once-completed-around", once_completed_around},
        {"once-completed-order", once_completed_order},
        {"once-completed-alone", once_completed_alone},
    };
    int result = RUN_CASE(cases, argc, argv);
    if (!early_done) {
        run_early(nothing);
        MUST(pthread_join(early, NULL) == 0);
    }
    return result;
}
