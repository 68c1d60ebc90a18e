/* orders KIND SCRIPT: lives through a script (script.h) with POSIX locks of one kind.
 *
 * Each lock is a global variable of its own, and each has a function of its own in which the
 * library is called, so that names and stacks tell the locks apart as they would in real code.
 */
#include "script.h"

#include <semaphore.h>
#include <time.h>

union lock {
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
    pthread_spinlock_t spin;
    sem_t semaphore;
};

enum family { MUTEX, RWLOCK, SPIN, SEMAPHORE };

static const struct kind {
    const char *name;
    enum family family;
    int type;
    int robust, shared, inherits;
    int statically; /* as PTHREAD_*_INITIALIZER leaves it: no call tells of its making */
} kinds[] = {
    {.name = "mutex", .family = MUTEX, .statically = 1},
    {.name = "normal", .family = MUTEX, .type = PTHREAD_MUTEX_NORMAL},
    {.name = "errorcheck", .family = MUTEX, .type = PTHREAD_MUTEX_ERRORCHECK},
    {.name = "recursive", .family = MUTEX, .type = PTHREAD_MUTEX_RECURSIVE},
    {.name = "adaptive", .family = MUTEX, .type = PTHREAD_MUTEX_ADAPTIVE_NP},
    {.name = "robust", .family = MUTEX, .robust = 1},
    {.name = "pshared", .family = MUTEX, .shared = 1},
    {.name = "inherit", .family = MUTEX, .inherits = 1},
    {.name = "rwlock", .family = RWLOCK, .statically = 1},
    {.name = "rwlock-writers",
     .family = RWLOCK,
     .type = PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP},
    {.name = "spin", .family = SPIN},
    {.name = "semaphore", .family = SEMAPHORE},
};

static const struct kind *kind;

static int or_errno(int result)
{
    return result == 0 ? 0 : errno;
}

/* ---- making and ending -------------------------------------------------------------------- */

static int mutex_init(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t attributes;
    MUST(pthread_mutexattr_init(&attributes) == 0);
    MUST(pthread_mutexattr_settype(&attributes, kind->type) == 0);
    if (kind->robust)
        MUST(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
    if (kind->shared)
        MUST(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0);
    if (kind->inherits)
        MUST(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
    int result = pthread_mutex_init(mutex, &attributes);
    MUST(pthread_mutexattr_destroy(&attributes) == 0);
    return result;
}

static int rwlock_init(pthread_rwlock_t *rwlock)
{
    pthread_rwlockattr_t attributes;
    MUST(pthread_rwlockattr_init(&attributes) == 0);
    MUST(pthread_rwlockattr_setkind_np(&attributes, kind->type) == 0);
    int result = pthread_rwlock_init(rwlock, &attributes);
    MUST(pthread_rwlockattr_destroy(&attributes) == 0);
    return result;
}

static int init(union lock *lock)
{
    switch (kind->family) {
    case MUTEX:
        return mutex_init(&lock->mutex);
    case RWLOCK:
        return rwlock_init(&lock->rwlock);
    case SPIN:
        return pthread_spin_init(&lock->spin, PTHREAD_PROCESS_PRIVATE);
    case SEMAPHORE:
        return or_errno(sem_init(&lock->semaphore, 0, 1));
    }
    return EINVAL;
}

static int destroy(union lock *lock)
{
    switch (kind->family) {
    case MUTEX:
        return pthread_mutex_destroy(&lock->mutex);
    case RWLOCK:
        return pthread_rwlock_destroy(&lock->rwlock);
    case SPIN:
        return pthread_spin_destroy(&lock->spin);
    case SEMAPHORE:
        return or_errno(sem_destroy(&lock->semaphore));
    }
    return EINVAL;
}

/* ---- taking and giving up ----------------------------------------------------------------- */

static const struct timespec past = {.tv_sec = 1};

static struct timespec far(clockid_t clock)
{
    struct timespec time;
    MUST(clock_gettime(clock, &time) == 0);
    time.tv_sec += 3600;
    return time;
}

static inline __attribute__((always_inline)) int on_mutex(pthread_mutex_t *mutex, char what)
{
    struct timespec until;
    int result;
    switch (what) {
    case '+':
    case 'e':
        return pthread_mutex_lock(mutex);
    case 'o':
        result = pthread_mutex_lock(mutex);
        if (result == EOWNERDEAD)
            MUST(pthread_mutex_consistent(mutex) == 0);
        return result;
    case '?':
    case '!':
        return pthread_mutex_trylock(mutex);
    case 't':
        until = far(CLOCK_REALTIME);
        return pthread_mutex_timedlock(mutex, &until);
    case 'T':
        return pthread_mutex_timedlock(mutex, &past);
    case 'c':
        until = far(CLOCK_MONOTONIC);
        return pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &until);
    case 'C':
        return pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &past);
    case '-':
    case 'p':
        return pthread_mutex_unlock(mutex);
    }
    return EINVAL;
}

static inline __attribute__((always_inline)) int on_rwlock(pthread_rwlock_t *rwlock, char what)
{
    struct timespec until;
    switch (what) {
    case '+':
    case 'e':
        return pthread_rwlock_wrlock(rwlock);
    case 'r':
    case 'E':
        return pthread_rwlock_rdlock(rwlock);
    case '?':
    case '!':
        return pthread_rwlock_trywrlock(rwlock);
    case 'u':
        return pthread_rwlock_tryrdlock(rwlock);
    case 't':
        until = far(CLOCK_REALTIME);
        return pthread_rwlock_timedwrlock(rwlock, &until);
    case 'T':
        return pthread_rwlock_timedwrlock(rwlock, &past);
    case 'c':
        until = far(CLOCK_MONOTONIC);
        return pthread_rwlock_clockwrlock(rwlock, CLOCK_MONOTONIC, &until);
    case 'C':
        return pthread_rwlock_clockwrlock(rwlock, CLOCK_MONOTONIC, &past);
    case '-':
    case 'p':
        return pthread_rwlock_unlock(rwlock);
    }
    return EINVAL;
}

static inline __attribute__((always_inline)) int on_spin(pthread_spinlock_t *spin, char what)
{
    switch (what) {
    case '+':
        return pthread_spin_lock(spin);
    case '?':
    case '!':
        return pthread_spin_trylock(spin);
    case '-':
    case 'p':
        return pthread_spin_unlock(spin);
    }
    return EINVAL;
}

static inline __attribute__((always_inline)) int on_semaphore(sem_t *semaphore, char what)
{
    struct timespec until;
    switch (what) {
    case '+':
        return or_errno(sem_wait(semaphore));
    case '?':
    case '!':
        return or_errno(sem_trywait(semaphore));
    case 't':
        until = far(CLOCK_REALTIME);
        return or_errno(sem_timedwait(semaphore, &until));
    case 'T':
        return or_errno(sem_timedwait(semaphore, &past));
    case 'c':
        until = far(CLOCK_MONOTONIC);
        return or_errno(sem_clockwait(semaphore, CLOCK_MONOTONIC, &until));
    case 'C':
        return or_errno(sem_clockwait(semaphore, CLOCK_MONOTONIC, &past));
    case '-':
    case 'p':
        return or_errno(sem_post(semaphore));
    }
    return EINVAL;
}

static inline __attribute__((always_inline)) int on(union lock *lock, char what)
{
    if (what == 'i')
        return init(lock);
    if (what == 'd')
        return destroy(lock);
    switch (kind->family) {
    case MUTEX:
        return on_mutex(&lock->mutex, what);
    case RWLOCK:
        return on_rwlock(&lock->rwlock, what);
    case SPIN:
        return on_spin(&lock->spin, what);
    case SEMAPHORE:
        return on_semaphore(&lock->semaphore, what);
    }
    return EINVAL;
}

/* ---- the locks ---------------------------------------------------------------------------- */

#define LOCK(NAME)                                                                                 \
    union lock NAME;                                                                               \
    static NOINLINE int with_##NAME(char what)                                                     \
    {                                                                                              \
        return on(&NAME, what);                                                                    \
    }

LOCK(A)
LOCK(B)
LOCK(C)
LOCK(D)
LOCK(E)
LOCK(F)

static int operate(char what, char lock)
{
    static int (*const with[])(char) = {with_A, with_B, with_C, with_D, with_E, with_F};
    return with[lock - 'A'](what);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, argv[1]) == 0)
            kind = &kinds[i];
    }
    if (!kind) {
        fprintf(stderr, "usage: orders KIND SCRIPT\n");
        return 2;
    }
    for (char name = 'A'; !kind->statically && name <= 'F'; name++)
        MUST(operate('i', name) == 0);
    script_run(argv[2]);
    puts("done");
    return 0;
}
