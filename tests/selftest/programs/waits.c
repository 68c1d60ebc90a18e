/* waits CASE: conditions, joins, semaphores as signals, child processes: calls that wait for
 * somebody, with and without a lock held.
 *
 * Whoever ends a wait can always do so, whatever is held, so no case hangs.
 */
#include "turns.h"

#include <errno.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <time.h>

static pthread_mutex_t A = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t B = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t monitor = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static int waiting; /* the waiter has the monitor: from then on, taking it means that it waits */

static void nest(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static struct timespec far(clockid_t clock)
{
    struct timespec time;
    MUST(clock_gettime(clock, &time) == 0);
    time.tv_sec += 3600;
    return time;
}

/* ---- conditions --------------------------------------------------------------------------- */

static void *wake(void *unused)
{
    (void)unused;
    wait_for(&waiting, 1);
    pthread_mutex_lock(&monitor);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&monitor);
    return NULL;
}

static void wait_changed(void)
{
    MUST(pthread_cond_wait(&changed, &monitor) == 0);
}

static void wait_changed_timed(void)
{
    struct timespec until = far(CLOCK_REALTIME);
    MUST(pthread_cond_timedwait(&changed, &monitor, &until) == 0);
}

static void wait_changed_clock(void)
{
    struct timespec until = far(CLOCK_MONOTONIC);
    MUST(pthread_cond_clockwait(&changed, &monitor, CLOCK_MONOTONIC, &until) == 0);
}

static NOINLINE void await(act wait)
{
    reach(&waiting, 1);
    while (!ready)
        wait();
}

/* One thread waits on the monitor's condition while `around` runs it under whatever it likes. */
static void woken(void *(*around)(void *))
{
    pthread_t waiter, waker;
    MUST(pthread_create(&waiter, NULL, around, NULL) == 0);
    MUST(pthread_create(&waker, NULL, wake, NULL) == 0);
    MUST(pthread_join(waiter, NULL) == 0);
    MUST(pthread_join(waker, NULL) == 0);
}

static void *wait_alone(void *unused)
{
    pthread_mutex_lock(&monitor);
    await(wait_changed);
    pthread_mutex_unlock(&monitor);
    return unused;
}

static void *wait_alone_timed(void *unused)
{
    pthread_mutex_lock(&monitor);
    await(wait_changed_timed);
    pthread_mutex_unlock(&monitor);
    return unused;
}

static void *wait_under_a(void *unused)
{
    pthread_mutex_lock(&A);
    pthread_mutex_lock(&monitor);
    await(wait_changed);
    pthread_mutex_unlock(&monitor);
    pthread_mutex_unlock(&A);
    return unused;
}

static void *wait_under_a_timed(void *unused)
{
    pthread_mutex_lock(&A);
    pthread_mutex_lock(&monitor);
    await(wait_changed_timed);
    pthread_mutex_unlock(&monitor);
    pthread_mutex_unlock(&A);
    return unused;
}

static void *wait_under_a_clock(void *unused)
{
    pthread_mutex_lock(&A);
    pthread_mutex_lock(&monitor);
    await(wait_changed_clock);
    pthread_mutex_unlock(&monitor);
    pthread_mutex_unlock(&A);
    return unused;
}

/* The monitor first: when the wait ends it is taken again, with A held by then. */
static void *wait_with_a_inside(void *unused)
{
    pthread_mutex_lock(&monitor);
    pthread_mutex_lock(&A);
    await(wait_changed);
    pthread_mutex_unlock(&A);
    pthread_mutex_unlock(&monitor);
    return unused;
}

static void *wait_after_a(void *unused)
{
    nest(&monitor, &A);
    pthread_mutex_lock(&monitor);
    await(wait_changed);
    pthread_mutex_unlock(&monitor);
    return unused;
}

static void condition_alone(void)
{
    woken(wait_alone);
}

static void condition_alone_timed(void)
{
    woken(wait_alone_timed);
}

static void condition_under_lock(void)
{
    woken(wait_under_a);
}

static void condition_under_lock_timed(void)
{
    woken(wait_under_a_timed);
}

static void condition_under_lock_clock(void)
{
    woken(wait_under_a_clock);
}

static void monitor_then_a(void)
{
    nest(&monitor, &A);
}

static void condition_takes_again(void)
{
    woken(wait_with_a_inside);
    in_thread(monitor_then_a);
}

static void condition_gives_up(void)
{
    woken(wait_after_a);
    in_thread(monitor_then_a);
}

/* ---- cancellation while waiting ----------------------------------------------------------- */

static void give_up_monitor(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&monitor);
}

static void *cancelled_tidy(void *unused)
{
    pthread_mutex_lock(&monitor);
    pthread_cleanup_push(give_up_monitor, NULL);
    await(wait_changed);
    pthread_cleanup_pop(1);
    return unused;
}

static void *cancelled_untidy(void *unused)
{
    pthread_mutex_lock(&monitor);
    await(wait_changed);
    pthread_mutex_unlock(&monitor);
    return unused;
}

static void cancelled(void *(*waits)(void *))
{
    pthread_t waiter;
    void *result;
    MUST(pthread_create(&waiter, NULL, waits, NULL) == 0);
    wait_for(&waiting, 1);
    pthread_mutex_lock(&monitor); /* only once it really waits */
    pthread_mutex_unlock(&monitor);
    MUST(pthread_cancel(waiter) == 0);
    MUST(pthread_join(waiter, &result) == 0);
    MUST(result == PTHREAD_CANCELED);
}

static void cancelled_tidily(void)
{
    cancelled(cancelled_tidy);
    nest(&monitor, &A);
}

static void cancelled_with_the_lock(void)
{
    cancelled(cancelled_untidy);
}

/* ---- joins -------------------------------------------------------------------------------- */

static int used;

static void *use_a(void *unused)
{
    pthread_mutex_lock(&A);
    pthread_mutex_unlock(&A);
    reach(&used, 1);
    return unused;
}

static pthread_t start_user_of_a(void)
{
    pthread_t user;
    MUST(pthread_create(&user, NULL, use_a, NULL) == 0);
    wait_for(&used, 1);
    return user;
}

static void join_under_lock(void)
{
    pthread_t user = start_user_of_a();
    pthread_mutex_lock(&A);
    MUST(pthread_join(user, NULL) == 0);
    pthread_mutex_unlock(&A);
}

static void join_under_another_lock(void)
{
    pthread_t user = start_user_of_a();
    pthread_mutex_lock(&B);
    MUST(pthread_join(user, NULL) == 0);
    pthread_mutex_unlock(&B);
}

static void join_alone(void)
{
    pthread_t user = start_user_of_a();
    pthread_mutex_lock(&A);
    pthread_mutex_unlock(&A);
    MUST(pthread_join(user, NULL) == 0);
}

static void join_under_lock_timed(void)
{
    struct timespec until = far(CLOCK_REALTIME);
    pthread_t user = start_user_of_a();
    pthread_mutex_lock(&A);
    MUST(pthread_timedjoin_np(user, NULL, &until) == 0);
    pthread_mutex_unlock(&A);
}

/* ---- semaphores that are signals ---------------------------------------------------------- */

static sem_t signals;

static void *post(void *unused)
{
    sem_post(&signals);
    return unused;
}

static void *post_under_a(void *unused)
{
    pthread_mutex_lock(&A);
    sem_post(&signals);
    pthread_mutex_unlock(&A);
    return unused;
}

static void signalled(void *(*poster)(void *), pthread_mutex_t *held)
{
    pthread_t thread;
    MUST(sem_init(&signals, 0, 0) == 0);
    if (held)
        pthread_mutex_lock(held);
    MUST(pthread_create(&thread, NULL, poster, NULL) == 0);
    MUST(sem_wait(&signals) == 0);
    if (held)
        pthread_mutex_unlock(held);
    MUST(pthread_join(thread, NULL) == 0);
}

static void semaphore_signal(void)
{
    signalled(post, NULL);
    signalled(post_under_a, NULL); /* a post never waits, whatever is held */
}

static void semaphore_signal_under_lock(void)
{
    signalled(post, &A);
}

/* ---- child processes ---------------------------------------------------------------------- */

static void wait_for_child(pthread_mutex_t *held)
{
    int status;
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0)
        _exit(0);
    if (held)
        pthread_mutex_lock(held);
    MUST(waitpid(child, &status, 0) == child && status == 0);
    if (held)
        pthread_mutex_unlock(held);
}

static void child_under_lock(void)
{
    wait_for_child(&A);
}

static void child_alone(void)
{
    wait_for_child(NULL);
    nest(&A, &B);
}

int main(int argc, char **argv)
{
    static const struct named_case cases[] = {
        {"condition-alone", condition_alone},
        {"condition-alone-timed", condition_alone_timed},
        {"condition-under-lock", condition_under_lock},
        {"condition-under-lock-timed", condition_under_lock_timed},
        {"condition-under-lock-clock", condition_under_lock_clock},
        {"condition-takes-again", condition_takes_again},
        {"condition-gives-up", condition_gives_up},
        {"cancelled-tidily", cancelled_tidily},
        {"cancelled-with-the-lock", cancelled_with_the_lock},
        {"join-under-lock", join_under_lock},
        {"join-under-another-lock", join_under_another_lock},
        {"join-under-lock-timed", join_under_lock_timed},
        {"join-alone", join_alone},
        {"semaphore-signal", semaphore_signal},
        {"semaphore-signal-under-lock", semaphore_signal_under_lock},
        {"child-under-lock", child_under_lock},
        {"child-alone", child_alone},
    };
    return RUN_CASE(cases, argc, argv);
}
