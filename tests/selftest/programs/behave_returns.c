/* What lock calls return, and what they do to errno: nothing, but for those that report by it. */
#include "turns.h"

#include <errno.h>
#include <semaphore.h>
#include <time.h>

static const struct timespec past = {.tv_sec = 1};
static const struct timespec wrong = {.tv_sec = 1, .tv_nsec = -1};

static struct timespec soon(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += 3600;
    return time;
}

#define SHOW(call)                                                                                 \
    do {                                                                                           \
        errno = 4321;                                                                              \
        int shown = (call);                                                                        \
        int after = errno;                                                                         \
        printf("%-62s %3d errno %d\n", #call, shown, after);                                       \
    } while (0)

static pthread_mutex_t mutex;

static void others_on_mutex(void)
{
    SHOW(pthread_mutex_trylock(&mutex));
    SHOW(pthread_mutex_timedlock(&mutex, &past));
    SHOW(pthread_mutex_timedlock(&mutex, &wrong));
    SHOW(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past));
    SHOW(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &past));
}

static void others_on_checked_mutex(void)
{
    others_on_mutex();
    SHOW(pthread_mutex_unlock(&mutex));
}

static void mutexes(const char *name, int type, int robust)
{
    struct timespec later = soon();
    pthread_mutexattr_t attributes;
    int checked = type != PTHREAD_MUTEX_NORMAL || robust;
    printf("-- %s\n", name);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    if (robust)
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    SHOW(pthread_mutex_init(&mutex, &attributes));
    SHOW(pthread_mutex_lock(&mutex));
    if (type != PTHREAD_MUTEX_NORMAL)
        SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_trylock(&mutex));
    SHOW(pthread_mutex_timedlock(&mutex, &past));
    if (type == PTHREAD_MUTEX_RECURSIVE)
        for (int extra = 0; extra < 3; extra++)
            SHOW(pthread_mutex_unlock(&mutex));
    in_thread(checked ? others_on_checked_mutex : others_on_mutex);
    SHOW(pthread_mutex_destroy(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    if (checked)
        SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_timedlock(&mutex, &later));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_destroy(&mutex));
    SHOW(pthread_mutex_lock(&mutex)); /* EINVAL, as it was destroyed */
}

static void die_with_mutex(void)
{
    SHOW(pthread_mutex_lock(&mutex));
}

static void robust(void)
{
    pthread_mutexattr_t attributes;
    puts("-- robust, owner dead");
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    SHOW(pthread_mutex_init(&mutex, &attributes));
    in_thread(die_with_mutex);
    SHOW(pthread_mutex_trylock(&mutex));
    SHOW(pthread_mutex_consistent(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    in_thread(die_with_mutex);
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_unlock(&mutex)); /* not made consistent */
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_trylock(&mutex));
    SHOW(pthread_mutex_destroy(&mutex));
}

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void others_on_rwlock(void)
{
    SHOW(pthread_rwlock_tryrdlock(&rwlock));
    SHOW(pthread_rwlock_timedrdlock(&rwlock, &past));
    SHOW(pthread_rwlock_trywrlock(&rwlock));
    SHOW(pthread_rwlock_timedwrlock(&rwlock, &past));
    SHOW(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &past));
}

static void read_and_go(void)
{
    SHOW(pthread_rwlock_tryrdlock(&rwlock));
    SHOW(pthread_rwlock_trywrlock(&rwlock));
    SHOW(pthread_rwlock_unlock(&rwlock));
}

static void rwlocks(void)
{
    puts("-- rwlock");
    SHOW(pthread_rwlock_wrlock(&rwlock));
    SHOW(pthread_rwlock_wrlock(&rwlock));
    SHOW(pthread_rwlock_rdlock(&rwlock));
    in_thread(others_on_rwlock);
    SHOW(pthread_rwlock_unlock(&rwlock));
    SHOW(pthread_rwlock_rdlock(&rwlock));
    SHOW(pthread_rwlock_rdlock(&rwlock));
    in_thread(read_and_go);
    SHOW(pthread_rwlock_trywrlock(&rwlock));
    SHOW(pthread_rwlock_unlock(&rwlock));
    SHOW(pthread_rwlock_unlock(&rwlock));
    SHOW(pthread_rwlock_destroy(&rwlock));
}

static void spins(void)
{
    pthread_spinlock_t spin;
    puts("-- spin");
    SHOW(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE));
    SHOW(pthread_spin_lock(&spin));
    SHOW(pthread_spin_trylock(&spin));
    SHOW(pthread_spin_unlock(&spin));
    SHOW(pthread_spin_destroy(&spin));
}

static void semaphores(void)
{
    sem_t semaphore;
    int value;
    puts("-- semaphore");
    SHOW(sem_init(&semaphore, 0, 1));
    SHOW(sem_wait(&semaphore));
    SHOW(sem_trywait(&semaphore));
    SHOW(sem_timedwait(&semaphore, &past));
    SHOW(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past));
    SHOW(sem_timedwait(&semaphore, &wrong));
    SHOW(sem_post(&semaphore));
    SHOW(sem_getvalue(&semaphore, &value));
    printf("value %d\n", value);
    SHOW(sem_destroy(&semaphore));
    SHOW(sem_init(&semaphore, 0, -1U));
}

static void conditions(void)
{
    pthread_cond_t condition;
    pthread_condattr_t attributes;
    puts("-- condition");
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_condattr_init(&attributes);
    SHOW(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
    SHOW(pthread_cond_init(&condition, &attributes));
    SHOW(pthread_cond_signal(&condition));
    SHOW(pthread_cond_broadcast(&condition));
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_cond_timedwait(&condition, &mutex, &past));
    SHOW(pthread_cond_timedwait(&condition, &mutex, &wrong));
    SHOW(pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &past));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_cond_destroy(&condition));
}

static void said_once(void)
{
    puts("the initialiser");
}

static void *answer(void *question)
{
    return question;
}

static void rest(void)
{
    pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_t thread;
    void *result;
    puts("-- once, join");
    SHOW(pthread_once(&once, said_once));
    SHOW(pthread_once(&once, said_once));
    SHOW(pthread_create(&thread, NULL, answer, &once));
    SHOW(pthread_join(thread, &result));
    printf("the thread's result came back: %d\n", result == &once);
    SHOW(pthread_join(pthread_self(), NULL));
}

int main(void)
{
    mutexes("normal", PTHREAD_MUTEX_NORMAL, 0);
    mutexes("errorcheck", PTHREAD_MUTEX_ERRORCHECK, 0);
    mutexes("recursive", PTHREAD_MUTEX_RECURSIVE, 0);
    mutexes("robust", PTHREAD_MUTEX_NORMAL, 1);
    robust();
    rwlocks();
    spins();
    semaphores();
    conditions();
    rest();
    return 0;
}
