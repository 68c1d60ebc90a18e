/* Mutexes, reader-writer locks and spin locks: the functions put before glibc's.
 *
 * Most locks are free when they are asked for, so each hook tries first. Where that fails, what
 * the wish says of lock order is recorded before the real call, which may never return; its
 * outcome, error codes included, is the program's. Identity is settled before an unlock, since
 * the memory may be somebody else's right after it.
 */
#include "shim.h"

#include <errno.h>
#include <time.h>

static inline uint8_t mutex_flags(const pthread_mutex_t *mutex)
{
    int kind = mutex->__data.__kind;
    uint8_t flags = 0;
    if ((kind & 3) == PTHREAD_MUTEX_RECURSIVE)
        flags |= LO_RECURSIVE;
    if ((kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
        flags |= LO_ERRORCHECK;
    if (kind & 16)
        flags |= LO_ROBUST;
    if (kind & 128)
        flags |= LO_PSHARED;
    return flags;
}

static inline void check_stack(struct lo_thread *thread)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    if (LO_UNLIKELY(frame > atomic_load_explicit(&thread->lowest_stack_lock, memory_order_relaxed)))
        lo_stack_locks_end(thread, frame);
}

/* EOWNERDEAD: the mutex is held; its last owner died (pthread_mutex_lock(3p)). */
static inline bool taken(int status)
{
    return status == 0 || status == EOWNERDEAD;
}

/* In a Python process the GIL is held by whoever runs extension code, which no call shows. */
static inline void note_gil(struct lo_thread *thread, uintptr_t pc)
{
    if (LO_UNLIKELY(atomic_load_explicit(&lo_python_loaded, memory_order_relaxed)) &&
        thread->depth == 0 && lo_gil_held())
        lo_push(thread, lo_gil_lock(thread), LO_EXCLUSIVE, LO_BLOCKING, pc);
}

/* The entry for the GIL goes with the last lock above it: nobody says when it is given up. */
static inline void drop_gil(struct lo_thread *thread)
{
    if (LO_UNLIKELY(thread->depth == 1) && lo_locks[thread->area->held[0].lock].kind == LO_KIND_GIL)
        lo_remove(thread, 0);
}

static inline void acquired(struct lo_thread *thread, uintptr_t address, uint8_t kind,
                            uint8_t flags, uint8_t mode, uint8_t how, uintptr_t pc)
{
    check_stack(thread);
    lo_id lock = lo_lock_find(thread, address, kind, flags);
    if (LO_UNLIKELY(lock == 0))
        return;
    if (LO_UNLIKELY(flags & LO_RECURSIVE || mode == LO_SHARED)) {
        int index = lo_find_held(thread, lock);
        if (index >= 0) {
            thread->area->held[index].count++;
            return;
        }
    }
    if (kind == LO_KIND_RWLOCK && mode == LO_EXCLUSIVE && how == LO_BLOCKING &&
        LO_UNLIKELY(!(lo_locks[lock].flags & LO_WRITTEN)))
        lo_lock_learn(thread, lock, LO_WRITTEN);
    note_gil(thread, pc);
    lo_push(thread, lock, mode, how, pc);
}

struct wish {
    struct lo_thread *thread;
    lo_id lock;
    uint64_t start;
};

/* The lock was not free. */
static LO_COLD void wish_begins(struct wish *wish, struct lo_thread *thread, uintptr_t address,
                                uint8_t kind, uint8_t flags, uint8_t mode, uint8_t how,
                                uintptr_t pc)
{
    int saved_errno = errno;
    check_stack(thread);
    wish->thread = thread;
    wish->lock = lo_lock_find(thread, address, kind, flags);
    wish->start = 0;
    if (wish->lock != 0) {
        note_gil(thread, pc);
        int index = lo_find_held(thread, wish->lock);
        if (index >= 0 && !lo_still_holds(thread, &thread->area->held[index])) {
            lo_remove(thread, (uint32_t)index);
            index = -1;
        }
        if (index < 0)
            lo_intend(thread, wish->lock, mode, how, pc);
        else if (how == LO_BLOCKING && !(flags & LO_RECURSIVE) && kind != LO_KIND_SEMAPHORE)
            lo_misuse(thread, LO_SELF_DEADLOCK, wish->lock, pc, thread->index);
        thread->area->wait_mode = mode;
        wish->start = thread->area->wait_since_ns = lo_now();
        thread->area->waits_for = wish->lock;
        thread->busy++;
        lo_lock_record(thread, wish->lock, 0);
        thread->busy--;
    }
    errno = saved_errno;
}

static LO_COLD void wish_ends(struct wish *wish)
{
    if (wish->lock == 0)
        return;
    int saved_errno = errno;
    wish->thread->area->waits_for = 0;
    struct lo_lock *lock = &lo_locks[wish->lock];
    uint64_t us = (lo_now() - wish->start) / 1000;
    uint32_t waited = us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
    atomic_fetch_add(&lock->contended, 1);
    atomic_fetch_add(&lock->wait_us, waited);
    uint32_t longest = atomic_load(&lock->longest_wait_us);
    while (waited > longest &&
           !atomic_compare_exchange_weak(&lock->longest_wait_us, &longest, waited))
        ;
    drop_gil(wish->thread);
    errno = saved_errno;
}

#define REAL(name) ((__typeof__(&name))lo_real(LO_HOOK_##name))
#define UNRESOLVED(real)                                                                           \
    if (LO_UNLIKELY((real) == NULL))                                                               \
    return lo_unresolved_status()

/* A lock function: *quick* is its non-blocking twin, *patient* the call itself. */
#define TAKE(object, kind, flags, mode, how, quick, patient)                                       \
    struct lo_thread *thread = lo_enter();                                                         \
    if (LO_UNLIKELY(thread == NULL))                                                               \
        return patient;                                                                            \
    uintptr_t address = (uintptr_t)(object), pc = LO_CALLER();                                     \
    uint8_t its_flags = (flags);                                                                   \
    int status = quick;                                                                            \
    if (LO_UNLIKELY(!taken(status))) {                                                             \
        struct wish wish;                                                                          \
        wish_begins(&wish, thread, address, kind, its_flags, mode, how, pc);                       \
        status = patient;                                                                          \
        wish_ends(&wish);                                                                          \
        if (!taken(status))                                                                        \
            return status;                                                                         \
    }                                                                                              \
    acquired(thread, address, kind, its_flags, mode, how, pc);                                     \
    return status

#define TRY(object, kind, flags, mode, call)                                                       \
    struct lo_thread *thread = lo_enter();                                                         \
    uint8_t its_flags = (flags);                                                                   \
    int status = call;                                                                             \
    if (thread != NULL && taken(status))                                                           \
        acquired(thread, (uintptr_t)(object), kind, its_flags, mode, LO_TRY, LO_CALLER());         \
    return status

/* Unlocked by a thread that does not hold it: another does, and does not hold it any more, or
 * nobody does. */
static LO_COLD void unlock_not_held(struct lo_thread *thread, uintptr_t address, uint8_t kind)
{
    lo_id lock = lo_lock_known(address);
    if (lock == 0 || kind == LO_KIND_SEMAPHORE)
        return;
    lo_misuse(thread, LO_UNLOCK_NOT_HELD, lock, 0, 0);
    atomic_fetch_or(&lo_locks[lock].state, LO_LOCK_HANDED_OVER);
}

#define GIVE(object, kind, flags, foreign, call)                                                   \
    struct lo_thread *thread = lo_enter();                                                         \
    if (LO_UNLIKELY(thread == NULL))                                                               \
        return call;                                                                               \
    uintptr_t address = (uintptr_t)(object);                                                       \
    lo_id lock = lo_lock_find(thread, address, kind, flags);                                       \
    bool held = lock == 0 || lo_find_held(thread, lock) >= 0 || thread->overflow != 0;             \
    if (LO_UNLIKELY(!held) && (foreign))                                                           \
        unlock_not_held(thread, address, kind);                                                    \
    int status = call;                                                                             \
    if (LO_LIKELY(status == 0) && lock != 0) {                                                     \
        lo_pop(thread, lock);                                                                      \
        drop_gil(thread);                                                                          \
    }                                                                                              \
    return status

/* A robust mutex is not tried first: glibc's trylock leaves one that nobody made consistent in a
 * state in which lock blocks for ever, where it would have failed. */
static inline int try_first(pthread_mutex_t *mutex)
{
    if (LO_UNLIKELY(mutex->__data.__kind & 16))
        return EBUSY;
    return REAL(pthread_mutex_trylock)(mutex);
}

/* ---- mutexes ----------------------------------------------------------------------------- */

LO_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    __typeof__(&pthread_mutex_lock) real = REAL(pthread_mutex_lock);
    UNRESOLVED(real);
    TAKE(mutex, LO_KIND_MUTEX, mutex_flags(mutex), LO_EXCLUSIVE, LO_BLOCKING, try_first(mutex),
         real(mutex));
}

LO_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    __typeof__(&pthread_mutex_trylock) real = REAL(pthread_mutex_trylock);
    UNRESOLVED(real);
    TRY(mutex, LO_KIND_MUTEX, mutex_flags(mutex), LO_EXCLUSIVE, real(mutex));
}

LO_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline)
{
    __typeof__(&pthread_mutex_timedlock) real = REAL(pthread_mutex_timedlock);
    UNRESOLVED(real);
    TAKE(mutex, LO_KIND_MUTEX, mutex_flags(mutex), LO_EXCLUSIVE, LO_TIMED, try_first(mutex),
         real(mutex, deadline));
}

LO_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                      const struct timespec *deadline)
{
    __typeof__(&pthread_mutex_clocklock) real = REAL(pthread_mutex_clocklock);
    UNRESOLVED(real);
    TAKE(mutex, LO_KIND_MUTEX, mutex_flags(mutex), LO_EXCLUSIVE, LO_TIMED, try_first(mutex),
         real(mutex, clock, deadline));
}

/* A mutex that somebody holds who is not us: glibc keeps its owner (nptl/pthread_mutex_lock.c). */
static inline bool is_others(const pthread_mutex_t *mutex)
{
    return mutex->__data.__owner != 0 || mutex->__data.__lock != 0;
}

LO_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    __typeof__(&pthread_mutex_unlock) real = REAL(pthread_mutex_unlock);
    UNRESOLVED(real);
    GIVE(mutex, LO_KIND_MUTEX, mutex_flags(mutex), true, real(mutex));
}

LO_EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    __typeof__(&pthread_mutex_init) real = REAL(pthread_mutex_init);
    UNRESOLVED(real);
    int status = real(mutex, attributes);
    struct lo_thread *thread = status == 0 ? lo_enter() : NULL;
    if (thread != NULL) {
        thread->busy++;
        lo_lock_born(thread, (uintptr_t)mutex, LO_KIND_MUTEX, mutex_flags(mutex));
        thread->busy--;
    }
    return status;
}

LO_EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    __typeof__(&pthread_mutex_destroy) real = REAL(pthread_mutex_destroy);
    UNRESOLVED(real);
    struct lo_thread *thread = lo_enter();
    if (thread != NULL) {
        lo_id lock = lo_lock_known((uintptr_t)mutex);
        if (lock != 0 && is_others(mutex))
            lo_misuse(thread, LO_DESTROY_HELD, lock, 0, 0);
        if (lock != 0 && lo_find_held(thread, lock) >= 0)
            lo_pop(thread, lock);
    }
    int status = real(mutex);
    if (status == 0)
        lo_lock_ends((uintptr_t)mutex, LO_DEATHS_BY_DESTROY);
    return status;
}

/* ---- reader-writer locks ----------------------------------------------------------------- */

#define RWLOCK_TAKE(name, twin, mode, how, params, args)                                           \
    LO_EXPORT int name params                                                                      \
    {                                                                                              \
        __typeof__(&name) real = REAL(name);                                                       \
        UNRESOLVED(real);                                                                          \
        TAKE(rwlock, LO_KIND_RWLOCK, 0, mode, how, REAL(twin)(rwlock), real args);                 \
    }

RWLOCK_TAKE(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, LO_SHARED, LO_BLOCKING,
            (pthread_rwlock_t * rwlock), (rwlock))
RWLOCK_TAKE(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, LO_EXCLUSIVE, LO_BLOCKING,
            (pthread_rwlock_t * rwlock), (rwlock))
RWLOCK_TAKE(pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock, LO_SHARED, LO_TIMED,
            (pthread_rwlock_t * rwlock, const struct timespec *deadline), (rwlock, deadline))
RWLOCK_TAKE(pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock, LO_EXCLUSIVE, LO_TIMED,
            (pthread_rwlock_t * rwlock, const struct timespec *deadline), (rwlock, deadline))
RWLOCK_TAKE(pthread_rwlock_clockrdlock, pthread_rwlock_tryrdlock, LO_SHARED, LO_TIMED,
            (pthread_rwlock_t * rwlock, clockid_t clock, const struct timespec *deadline),
            (rwlock, clock, deadline))
RWLOCK_TAKE(pthread_rwlock_clockwrlock, pthread_rwlock_trywrlock, LO_EXCLUSIVE, LO_TIMED,
            (pthread_rwlock_t * rwlock, clockid_t clock, const struct timespec *deadline),
            (rwlock, clock, deadline))

LO_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock)
{
    __typeof__(&pthread_rwlock_tryrdlock) real = REAL(pthread_rwlock_tryrdlock);
    UNRESOLVED(real);
    TRY(rwlock, LO_KIND_RWLOCK, 0, LO_SHARED, real(rwlock));
}

LO_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock)
{
    __typeof__(&pthread_rwlock_trywrlock) real = REAL(pthread_rwlock_trywrlock);
    UNRESOLVED(real);
    TRY(rwlock, LO_KIND_RWLOCK, 0, LO_EXCLUSIVE, real(rwlock));
}

LO_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *rwlock)
{
    __typeof__(&pthread_rwlock_unlock) real = REAL(pthread_rwlock_unlock);
    UNRESOLVED(real);
    GIVE(rwlock, LO_KIND_RWLOCK, 0, true, real(rwlock));
}

LO_EXPORT int pthread_rwlock_init(pthread_rwlock_t *rwlock, const pthread_rwlockattr_t *attributes)
{
    __typeof__(&pthread_rwlock_init) real = REAL(pthread_rwlock_init);
    UNRESOLVED(real);
    int status = real(rwlock, attributes);
    struct lo_thread *thread = status == 0 ? lo_enter() : NULL;
    if (thread != NULL) {
        thread->busy++;
        lo_lock_born(thread, (uintptr_t)rwlock, LO_KIND_RWLOCK, 0);
        thread->busy--;
    }
    return status;
}

LO_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *rwlock)
{
    __typeof__(&pthread_rwlock_destroy) real = REAL(pthread_rwlock_destroy);
    UNRESOLVED(real);
    struct lo_thread *thread = lo_enter();
    lo_id lock = thread != NULL ? lo_lock_known((uintptr_t)rwlock) : 0;
    if (lock != 0 && (rwlock->__data.__cur_writer != 0 || rwlock->__data.__readers >> 3 != 0))
        lo_misuse(thread, LO_DESTROY_HELD, lock, 0, 0);
    int status = real(rwlock);
    if (status == 0)
        lo_lock_ends((uintptr_t)rwlock, LO_DEATHS_BY_DESTROY);
    return status;
}

/* ---- spin locks -------------------------------------------------------------------------- */

LO_EXPORT int pthread_spin_lock(pthread_spinlock_t *lock_)
{
    __typeof__(&pthread_spin_lock) real = REAL(pthread_spin_lock);
    UNRESOLVED(real);
    TAKE(lock_, LO_KIND_SPIN, 0, LO_EXCLUSIVE, LO_BLOCKING, REAL(pthread_spin_trylock)(lock_),
         real(lock_));
}

LO_EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock_)
{
    __typeof__(&pthread_spin_trylock) real = REAL(pthread_spin_trylock);
    UNRESOLVED(real);
    TRY(lock_, LO_KIND_SPIN, 0, LO_EXCLUSIVE, real(lock_));
}

LO_EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock_)
{
    __typeof__(&pthread_spin_unlock) real = REAL(pthread_spin_unlock);
    UNRESOLVED(real);
    GIVE(lock_, LO_KIND_SPIN, 0, true, real(lock_));
}

LO_EXPORT int pthread_spin_init(pthread_spinlock_t *lock_, int shared)
{
    __typeof__(&pthread_spin_init) real = REAL(pthread_spin_init);
    UNRESOLVED(real);
    int status = real(lock_, shared);
    struct lo_thread *thread = status == 0 ? lo_enter() : NULL;
    if (thread != NULL) {
        thread->busy++;
        lo_lock_born(thread, (uintptr_t)lock_, LO_KIND_SPIN, shared ? LO_PSHARED : 0);
        thread->busy--;
    }
    return status;
}

LO_EXPORT int pthread_spin_destroy(pthread_spinlock_t *lock_)
{
    __typeof__(&pthread_spin_destroy) real = REAL(pthread_spin_destroy);
    UNRESOLVED(real);
    struct lo_thread *thread = lo_enter();
    lo_id lock = thread != NULL ? lo_lock_known((uintptr_t)lock_) : 0;
    if (lock != 0 && REAL(pthread_spin_trylock)(lock_) != 0)
        lo_misuse(thread, LO_DESTROY_HELD, lock, 0, 0);
    int status = real(lock_);
    if (status == 0)
        lo_lock_ends((uintptr_t)lock_, LO_DEATHS_BY_DESTROY);
    return status;
}

/* ---- conditions -------------------------------------------------------------------------- */

/* pthread_cond_wait is a cancellation point (pthreads(7)): the thread can be unwound through our
 * frame, which is why the library is built with -fexceptions. Either way the mutex is held again.
 */
struct condition_wait {
    struct lo_call call;
    lo_id lock;
    uintptr_t pc;
    uint16_t count;
};

static void wait_begins(struct condition_wait *wait, enum lo_hook hook, uintptr_t condition,
                        pthread_mutex_t *mutex, uintptr_t pc)
{
    wait->lock = 0;
    wait->pc = pc;
    wait->count = 1;
    struct lo_thread *thread = lo_enter();
    if (thread != NULL) {
        int saved_errno = errno;
        wait->lock = lo_lock_find(thread, (uintptr_t)mutex, LO_KIND_MUTEX, mutex_flags(mutex));
        int index = wait->lock != 0 ? lo_find_held(thread, wait->lock) : -1;
        if (index >= 0) {
            wait->count = thread->area->held[index].count;
            lo_remove(thread, (uint32_t)index);
            drop_gil(thread);
        } else {
            wait->lock = 0;
        }
        errno = saved_errno;
    }
    lo_call_begin(&wait->call, hook, condition, pc, wait->lock);
}

static void wait_ends(struct condition_wait *wait)
{
    lo_call_end(&wait->call);
    struct lo_thread *thread = lo_enter();
    if (thread == NULL || wait->lock == 0)
        return;
    int saved_errno = errno;
    note_gil(thread, wait->pc);
    lo_push(thread, wait->lock, LO_EXCLUSIVE, LO_BLOCKING, wait->pc);
    int index = lo_find_held(thread, wait->lock);
    if (index >= 0)
        thread->area->held[index].count = wait->count;
    errno = saved_errno;
}

#define CONDITION_WAIT(name, params, args)                                                         \
    LO_EXPORT int name params                                                                      \
    {                                                                                              \
        __typeof__(&name) real = REAL(name);                                                       \
        UNRESOLVED(real);                                                                          \
        struct condition_wait wait __attribute__((cleanup(wait_ends)));                            \
        wait_begins(&wait, LO_HOOK_##name, (uintptr_t)condition, mutex, LO_CALLER());              \
        return real args;                                                                          \
    }

CONDITION_WAIT(pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex),
               (condition, mutex))
CONDITION_WAIT(pthread_cond_timedwait,
               (pthread_cond_t * condition, pthread_mutex_t *mutex,
                const struct timespec *deadline),
               (condition, mutex, deadline))
CONDITION_WAIT(pthread_cond_clockwait,
               (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock,
                const struct timespec *deadline),
               (condition, mutex, clock, deadline))
