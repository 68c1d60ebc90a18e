/* Mutexes, reader-writer locks and spin locks: the functions put before glibc's.
 *
 * Most locks are free when they are asked for, so each hook tries first. Where that fails, what
 * the wish says of lock order is recorded before the real call, which may never return; its
 * outcome, error codes included, is the program's. Identity is settled before an unlock, since
 * the memory may be somebody else's right after it.
 */
#include "locks.h"

#include <errno.h>
#include <time.h>

static inline void check_stack(struct lo_thread *thread)
{
    uintptr_t frame = lo_stack_pointer();
    if (LO_UNLIKELY(frame > atomic_load_explicit(&thread->lowest_stack_lock, memory_order_relaxed)))
        lo_stack_locks_end(thread, frame);
}

/* EOWNERDEAD: the mutex is held; its last owner died (pthread_mutex_lock(3p)). */
static inline bool taken(int status)
{
    return status == 0 || status == EOWNERDEAD;
}

static inline void acquired(struct lo_thread *thread, struct lo_expected expected,
                            uintptr_t address, struct lo_manner manner, uintptr_t pc)
{
    check_stack(thread);
    if (LO_UNLIKELY(manner.flags & LO_RECURSIVE || manner.mode == LO_SHARED)) {
        int index = lo_find_held_at(thread, address);
        if (index >= 0) {
            lo_take_again(thread, (uint32_t)index);
            return;
        }
    }
    lo_note_gil(thread, pc);
    const struct lo_level *below = &thread->levels[thread->depth];
    if (LO_UNLIKELY(below->hash != expected.hash))
        expected.key = lo_key(below, address, manner.mode, manner.how);
    uint64_t chain = lo_chain_below(thread);
    lo_take(thread, expected.key, address, manner, pc);
    if (thread->depth == 0 || thread->levels[thread->depth].address != address)
        return;
    bool inner = lo_is_inner(pc);
    thread->levels[thread->depth].inner = inner;
    if (inner && manner.kind == LO_KIND_RWLOCK && manner.mode == LO_EXCLUSIVE)
        lo_leaf_learn(thread, lo_leaf_key(0, address, LO_EXCLUSIVE), address);
    else if (!inner && manner.how == LO_BLOCKING && thread->unseen == 0)
        lo_leaf_learn(thread, lo_leaf_key(chain, address, manner.mode), address);
}

struct wish {
    struct lo_thread *thread;
    lo_id lock;
    uint64_t start;
};

/* The lock was not free. */
static LO_COLD void wish_begins(struct wish *wish, struct lo_thread *thread, uintptr_t address,
                                struct lo_manner manner, uintptr_t pc)
{
    int saved_errno = errno;
    check_stack(thread);
    wish->thread = thread;
    wish->lock = lo_lock_add(address, manner.kind, manner.flags, pc);
    wish->start = 0;
    if (wish->lock != 0) {
        lo_note_gil(thread, pc);
        int index = lo_find_held(thread, wish->lock);
        if (index >= 0 && !lo_still_holds(thread, &thread->area->held[index])) {
            lo_remove(thread, (uint32_t)index);
            index = -1;
        }
        if (index < 0)
            wish->lock = lo_intend(thread, wish->lock, manner.mode, manner.how, pc);
        else if (manner.how == LO_BLOCKING && !(manner.flags & LO_RECURSIVE))
            lo_misuse(thread, LO_SELF_DEADLOCK, wish->lock, pc, thread->index);
        thread->area->wait_mode = manner.mode;
        thread->area->wait_object = address;
        wish->start = thread->area->wait_since_ns = lo_now();
        thread->area->waits_for = wish->lock;
        lo_busy(thread);
        lo_lock_record(thread, wish->lock, 0);
        lo_idle(thread);
    }
    errno = saved_errno;
}

static LO_COLD void wish_ends(struct wish *wish)
{
    if (wish->lock == 0)
        return;
    int saved_errno = errno;
    wish->thread->area->waits_for = 0;
    wish->thread->area->wait_object = 0;
    struct lo_lock *lock = &lo_locks[wish->lock];
    uint32_t contended = atomic_fetch_add(&lock->contended, 1) + 1;
    atomic_fetch_add(&lock->wait_us, lo_lock_timed(&lock->longest_wait_us, wish->start));
    lo_busy(wish->thread);
    /* Now and then: it goes over the whole table. */
    if ((contended & (contended - 1)) == 0)
        lo_locks_flush(wish->thread);
    lo_lock_write_stat(wish->thread, wish->lock);
    lo_idle(wish->thread);
    lo_drop_gil(wish->thread);
    errno = saved_errno;
}

/* Where *quick* was in vain. */
#define BE_PATIENT(patient)                                                                        \
    if (LO_UNLIKELY(!taken(status))) {                                                             \
        struct wish wish;                                                                          \
        wish_begins(&wish, thread, address, manner, pc);                                           \
        status = patient;                                                                          \
        wish_ends(&wish);                                                                          \
        if (!taken(status))                                                                        \
            return status;                                                                         \
    }

/* What tells nothing yet (passing.c) goes no further than this; *quick* does not block. What was
 * taken by it and is to be told is told by *taken*. */
#define PASS(object, kind, mode, how, quick, pc, taken)                                            \
    do {                                                                                           \
        struct lo_thread *thread = lo_self;                                                        \
        if (LO_UNLIKELY(thread == NULL))                                                           \
            break;                                                                                 \
        const struct lo_manner manner = {kind, 0, mode, how};                                      \
        struct lo_wish wish = lo_wish_of(thread, (uintptr_t)(object), manner, pc);                 \
        if (wish.way == LO_WAY_TOLD || LO_UNLIKELY((quick) != 0))                                  \
            break;                                                                                 \
        struct lo_pass pass = lo_pass_of(thread, wish, (uintptr_t)(object), manner, pc);           \
        if (LO_UNLIKELY(pass.way == LO_WAY_TOLD))                                                  \
            return taken;                                                                          \
        lo_passes(thread, (uintptr_t)(object), manner, pc, pass);                                  \
        return 0;                                                                                  \
    } while (0)

/* A lock function: *quick* is its non-blocking twin, *patient* the call itself. */
#define TAKE(object, kind, flags, mode, how, quick, patient)                                       \
    struct lo_thread *thread = lo_enter();                                                         \
    if (LO_UNLIKELY(thread == NULL))                                                               \
        return patient;                                                                            \
    uintptr_t address = (uintptr_t)(object);                                                       \
    struct lo_manner manner = {kind, flags, mode, how};                                            \
    if (LO_UNLIKELY(lo_rests(thread))) {                                                           \
        int status = quick;                                                                        \
        BE_PATIENT(patient)                                                                        \
        lo_leave_out(thread);                                                                      \
        return status;                                                                             \
    }                                                                                              \
    struct lo_expected expected = lo_expect(thread, address, manner);                              \
    int status = quick;                                                                            \
    BE_PATIENT(patient)                                                                            \
    acquired(thread, expected, address, manner, pc);                                               \
    return status

/* It was free, and is taken. */
#define TAKEN(object, kind, flags, mode, how)                                                      \
    struct lo_thread *thread = lo_enter();                                                         \
    if (LO_UNLIKELY(thread == NULL))                                                               \
        return 0;                                                                                  \
    uintptr_t address = (uintptr_t)(object);                                                       \
    struct lo_manner manner = {kind, flags, mode, how};                                            \
    if (LO_UNLIKELY(lo_rests(thread)))                                                             \
        lo_leave_out(thread);                                                                      \
    else                                                                                           \
        acquired(thread, lo_expect(thread, address, manner), address, manner, pc);                 \
    return 0

#define TRY(object, kind, flags, mode, call)                                                       \
    struct lo_thread *thread = lo_enter();                                                         \
    if (LO_UNLIKELY(thread == NULL))                                                               \
        return call;                                                                               \
    uintptr_t address = (uintptr_t)(object), pc = LO_CALLER();                                     \
    struct lo_manner manner = {kind, flags, mode, LO_TRY};                                         \
    if (LO_UNLIKELY(lo_rests(thread))) {                                                           \
        int status = call;                                                                         \
        if (taken(status))                                                                         \
            lo_leave_out(thread);                                                                  \
        return status;                                                                             \
    }                                                                                              \
    struct lo_expected expected = lo_expect(thread, address, manner);                              \
    int status = call;                                                                             \
    if (taken(status))                                                                             \
        acquired(thread, expected, address, manner, pc);                                           \
    return status

/* Unlocked by a thread that does not hold it: another does, and does not hold it any more, or
 * nobody does. An error-checking mutex stays as it is (EPERM). Its number, 0 if there is none. */
static LO_COLD lo_id unlock_not_held(struct lo_thread *thread, uintptr_t address, uint8_t kind,
                                     uint8_t flags, uintptr_t pc)
{
    int saved_errno = errno;
    lo_id lock = lo_lock_add(address, kind, flags, pc);
    if (lock != 0 && thread->overflow == 0 && !(flags & LO_ERRORCHECK)) {
        lo_misuse(thread, LO_UNLOCK_NOT_HELD, lock, 0, 0);
        atomic_fetch_or(&lo_locks[lock].state, LO_LOCK_HANDED_OVER);
    }
    errno = saved_errno;
    return lock;
}

/* The other half of PASS. */
#define PASSED(object, call)                                                                       \
    do {                                                                                           \
        struct lo_thread *thread = lo_self;                                                        \
        if (LO_LIKELY(thread != NULL && thread->busy == 0) &&                                      \
            lo_passed(thread, (uintptr_t)(object))) {                                              \
            if (LO_LIKELY(thread->depth == 0))                                                     \
                return call;                                                                       \
            int status = call;                                                                     \
            lo_drop_gil(thread);                                                                   \
            return status;                                                                         \
        }                                                                                          \
    } while (0)

/* An unlock function, called from *pc*. */
#define GIVE(object, kind, flags, call)                                                            \
    struct lo_thread *thread = lo_enter();                                                         \
    if (LO_UNLIKELY(thread == NULL))                                                               \
        return call;                                                                               \
    uintptr_t address = (uintptr_t)(object);                                                       \
    int index = lo_find_held_at(thread, address);                                                  \
    if (LO_UNLIKELY(index < 0 && thread->unseen != 0)) {                                           \
        int status = call;                                                                         \
        if (status == 0)                                                                           \
            lo_left_out_ends(thread);                                                              \
        return status;                                                                             \
    }                                                                                              \
    lo_id lock = LO_LIKELY(index >= 0) ? thread->area->held[index].lock                            \
                                       : unlock_not_held(thread, address, kind, flags, pc);        \
    int status = call;                                                                             \
    if (LO_LIKELY(status == 0) && lock != 0) {                                                     \
        lo_pop(thread, lock);                                                                      \
        lo_drop_gil(thread);                                                                       \
    }                                                                                              \
    return status

#define INIT(object, kind, flags, call)                                                            \
    int status = call;                                                                             \
    if (status == 0)                                                                               \
        lo_lock_born((uintptr_t)(object), kind, flags, LO_CALLER());                               \
    return status

/* *locked* is asked of a lock that is known, before the call. */
#define DESTROY(object, locked, call)                                                              \
    struct lo_thread *thread = lo_enter();                                                         \
    lo_id lock = thread != NULL ? lo_lock_known((uintptr_t)(object)) : 0;                          \
    /* What was unlocked once too often says of itself that somebody has it. */                    \
    bool handed_over =                                                                             \
        lock != 0 && (atomic_load(&lo_locks[lock].state) & LO_LOCK_HANDED_OVER) != 0;              \
    if (lock != 0 && !handed_over && (locked))                                                     \
        lo_misuse(thread, LO_DESTROY_HELD, lock, 0, 0);                                            \
    int status = call;                                                                             \
    if (status == 0 && lock != 0 && lo_find_held(thread, lock) >= 0)                               \
        lo_pop(thread, lock);                                                                      \
    if (status == 0)                                                                               \
        lo_lock_ends((uintptr_t)(object), LO_DEATHS_BY_DESTROY);                                   \
    return status

/* A robust mutex is not tried first: glibc's trylock leaves one that nobody made consistent in a
 * state in which lock blocks for ever, where it would have failed. */
static inline int try_first(pthread_mutex_t *mutex)
{
    if (LO_UNLIKELY(mutex->__data.__kind & 16))
        return EBUSY;
    return LO_REAL(pthread_mutex_trylock)(mutex);
}

/* ---- mutexes ----------------------------------------------------------------------------- */

/* Apart from the short way, which then has few registers to save. */
static __attribute__((noinline)) int lock_and_tell(pthread_mutex_t *mutex, uintptr_t pc)
{
    LO_PTHREAD_REAL(pthread_mutex_lock);
    TAKE(mutex, LO_KIND_MUTEX, lo_mutex_flags(mutex), LO_EXCLUSIVE, LO_BLOCKING, try_first(mutex),
         real(mutex));
}

static __attribute__((noinline)) int tell_locked(pthread_mutex_t *mutex, uintptr_t pc)
{
    TAKEN(mutex, LO_KIND_MUTEX, lo_mutex_flags(mutex), LO_EXCLUSIVE, LO_BLOCKING);
}

static LO_ALWAYS_INLINE int lock_mutex(pthread_mutex_t *mutex)
{
    PASS(mutex, LO_KIND_MUTEX, LO_EXCLUSIVE, LO_BLOCKING, try_first(mutex), LO_CALLER(),
         tell_locked(mutex, LO_CALLER()));
    return lock_and_tell(mutex, LO_CALLER());
}

LO_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return lock_mutex(mutex);
}

static LO_ALWAYS_INLINE int try_mutex(pthread_mutex_t *mutex)
{
    LO_PTHREAD_REAL(pthread_mutex_trylock);
    PASS(mutex, LO_KIND_MUTEX, LO_EXCLUSIVE, LO_TRY, real(mutex), LO_CALLER(), 0);
    TRY(mutex, LO_KIND_MUTEX, lo_mutex_flags(mutex), LO_EXCLUSIVE, real(mutex));
}

LO_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return try_mutex(mutex);
}

static LO_ALWAYS_INLINE int lock_mutex_until(pthread_mutex_t *mutex,
                                             const struct timespec *deadline)
{
    LO_PTHREAD_REAL(pthread_mutex_timedlock);
    uintptr_t pc = LO_CALLER();
    TAKE(mutex, LO_KIND_MUTEX, lo_mutex_flags(mutex), LO_EXCLUSIVE, LO_TIMED, try_first(mutex),
         real(mutex, deadline));
}

LO_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline)
{
    return lock_mutex_until(mutex, deadline);
}

LO_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                      const struct timespec *deadline)
{
    LO_PTHREAD_REAL(pthread_mutex_clocklock);
    uintptr_t pc = LO_CALLER();
    TAKE(mutex, LO_KIND_MUTEX, lo_mutex_flags(mutex), LO_EXCLUSIVE, LO_TIMED, try_first(mutex),
         real(mutex, clock, deadline));
}

/* glibc keeps a mutex's owner (nptl/pthread_mutex_lock.c). */
static inline bool is_locked(const pthread_mutex_t *mutex)
{
    return mutex->__data.__owner != 0 || mutex->__data.__lock != 0;
}

static __attribute__((noinline)) int unlock_and_tell(pthread_mutex_t *mutex, uintptr_t pc)
{
    LO_PTHREAD_REAL(pthread_mutex_unlock);
    GIVE(mutex, LO_KIND_MUTEX, lo_mutex_flags(mutex), real(mutex));
}

static LO_ALWAYS_INLINE int unlock_mutex(pthread_mutex_t *mutex)
{
    PASSED(mutex, LO_REAL(pthread_mutex_unlock)(mutex));
    return unlock_and_tell(mutex, LO_CALLER());
}

LO_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    return unlock_mutex(mutex);
}

LO_EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    LO_PTHREAD_REAL(pthread_mutex_init);
    INIT(mutex, LO_KIND_MUTEX, lo_mutex_flags(mutex), real(mutex, attributes));
}

LO_EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    LO_PTHREAD_REAL(pthread_mutex_destroy);
    DESTROY(mutex, is_locked(mutex), real(mutex));
}

/* ---- C11's mutexes ------------------------------------------------------------------------ */

/* glibc's mtx_t is a pthread_mutex_t, and its functions call pthread's (nptl/mtx_lock.c). */
static inline pthread_mutex_t *mutex_of(mtx_t *mutex)
{
    return (pthread_mutex_t *)mutex;
}

int lo_wrap_mtx_lock(mtx_t *mutex);
int lo_wrap_mtx_lock(mtx_t *mutex)
{
    return lo_c11_status(lock_mutex(mutex_of(mutex)));
}

int lo_wrap_mtx_trylock(mtx_t *mutex);
int lo_wrap_mtx_trylock(mtx_t *mutex)
{
    return lo_c11_status(try_mutex(mutex_of(mutex)));
}

int lo_wrap_mtx_timedlock(mtx_t *mutex, const struct timespec *deadline);
int lo_wrap_mtx_timedlock(mtx_t *mutex, const struct timespec *deadline)
{
    return lo_c11_status(lock_mutex_until(mutex_of(mutex), deadline));
}

int lo_wrap_mtx_unlock(mtx_t *mutex);
int lo_wrap_mtx_unlock(mtx_t *mutex)
{
    return lo_c11_status(unlock_mutex(mutex_of(mutex)));
}

int lo_wrap_mtx_init(mtx_t *mutex, int type);
int lo_wrap_mtx_init(mtx_t *mutex, int type)
{
    INIT(mutex, LO_KIND_MUTEX, lo_mutex_flags(mutex_of(mutex)), LO_REAL(mtx_init)(mutex, type));
}

static inline int destroy_c11(mtx_t *mutex)
{
    DESTROY(mutex, is_locked(mutex_of(mutex)), (LO_REAL(mtx_destroy)(mutex), 0));
}

void lo_wrap_mtx_destroy(mtx_t *mutex);
void lo_wrap_mtx_destroy(mtx_t *mutex)
{
    (void)destroy_c11(mutex);
}

/* ---- reader-writer locks ----------------------------------------------------------------- */

#define ARGUMENTS(...) __VA_ARGS__ /* without the brackets */

static __attribute__((noinline)) int tell_rwlock(pthread_rwlock_t *rwlock, uint8_t mode,
                                                 uintptr_t pc)
{
    TAKEN(rwlock, LO_KIND_RWLOCK, 0, mode, LO_BLOCKING);
}

#define RWLOCK_TAKE(name, twin, mode, how, params, args, told)                                     \
    static __attribute__((noinline)) int name##_and_tell told                                      \
    {                                                                                              \
        LO_PTHREAD_REAL(name);                                                                     \
        TAKE(rwlock, LO_KIND_RWLOCK, 0, mode, how, LO_REAL(twin)(rwlock), real args);              \
    }                                                                                              \
    LO_EXPORT int name params                                                                      \
    {                                                                                              \
        PASS(rwlock, LO_KIND_RWLOCK, mode, how, LO_REAL(twin)(rwlock), LO_CALLER(),                \
             tell_rwlock(rwlock, mode, LO_CALLER()));                                              \
        return name##_and_tell(ARGUMENTS args, LO_CALLER());                                       \
    }

RWLOCK_TAKE(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, LO_SHARED, LO_BLOCKING,
            (pthread_rwlock_t * rwlock), (rwlock), (pthread_rwlock_t * rwlock, uintptr_t pc))
RWLOCK_TAKE(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, LO_EXCLUSIVE, LO_BLOCKING,
            (pthread_rwlock_t * rwlock), (rwlock), (pthread_rwlock_t * rwlock, uintptr_t pc))
RWLOCK_TAKE(pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock, LO_SHARED, LO_TIMED,
            (pthread_rwlock_t * rwlock, const struct timespec *deadline), (rwlock, deadline),
            (pthread_rwlock_t * rwlock, const struct timespec *deadline, uintptr_t pc))
RWLOCK_TAKE(pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock, LO_EXCLUSIVE, LO_TIMED,
            (pthread_rwlock_t * rwlock, const struct timespec *deadline), (rwlock, deadline),
            (pthread_rwlock_t * rwlock, const struct timespec *deadline, uintptr_t pc))
RWLOCK_TAKE(pthread_rwlock_clockrdlock, pthread_rwlock_tryrdlock, LO_SHARED, LO_TIMED,
            (pthread_rwlock_t * rwlock, clockid_t clock, const struct timespec *deadline),
            (rwlock, clock, deadline),
            (pthread_rwlock_t * rwlock, clockid_t clock, const struct timespec *deadline,
             uintptr_t pc))
RWLOCK_TAKE(pthread_rwlock_clockwrlock, pthread_rwlock_trywrlock, LO_EXCLUSIVE, LO_TIMED,
            (pthread_rwlock_t * rwlock, clockid_t clock, const struct timespec *deadline),
            (rwlock, clock, deadline),
            (pthread_rwlock_t * rwlock, clockid_t clock, const struct timespec *deadline,
             uintptr_t pc))

LO_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock)
{
    LO_PTHREAD_REAL(pthread_rwlock_tryrdlock);
    TRY(rwlock, LO_KIND_RWLOCK, 0, LO_SHARED, real(rwlock));
}

LO_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock)
{
    LO_PTHREAD_REAL(pthread_rwlock_trywrlock);
    TRY(rwlock, LO_KIND_RWLOCK, 0, LO_EXCLUSIVE, real(rwlock));
}

LO_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *rwlock)
{
    PASSED(rwlock, LO_REAL(pthread_rwlock_unlock)(rwlock));
    LO_PTHREAD_REAL(pthread_rwlock_unlock);
    uintptr_t pc = LO_CALLER();
    GIVE(rwlock, LO_KIND_RWLOCK, 0, real(rwlock));
}

LO_EXPORT int pthread_rwlock_init(pthread_rwlock_t *rwlock, const pthread_rwlockattr_t *attributes)
{
    LO_PTHREAD_REAL(pthread_rwlock_init);
    INIT(rwlock, LO_KIND_RWLOCK, 0, real(rwlock, attributes));
}

LO_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *rwlock)
{
    LO_PTHREAD_REAL(pthread_rwlock_destroy);
    DESTROY(rwlock, rwlock->__data.__cur_writer != 0 || rwlock->__data.__readers >> 3 != 0,
            real(rwlock));
}

/* ---- spin locks -------------------------------------------------------------------------- */

static __attribute__((noinline)) int tell_spin(pthread_spinlock_t *lock_, uintptr_t pc)
{
    TAKEN(lock_, LO_KIND_SPIN, 0, LO_EXCLUSIVE, LO_BLOCKING);
}

LO_EXPORT int pthread_spin_lock(pthread_spinlock_t *lock_)
{
    LO_PTHREAD_REAL(pthread_spin_lock);
    uintptr_t pc = LO_CALLER();
    PASS(lock_, LO_KIND_SPIN, LO_EXCLUSIVE, LO_BLOCKING, LO_REAL(pthread_spin_trylock)(lock_), pc,
         tell_spin(lock_, pc));
    TAKE(lock_, LO_KIND_SPIN, 0, LO_EXCLUSIVE, LO_BLOCKING, LO_REAL(pthread_spin_trylock)(lock_),
         real(lock_));
}

LO_EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock_)
{
    LO_PTHREAD_REAL(pthread_spin_trylock);
    TRY(lock_, LO_KIND_SPIN, 0, LO_EXCLUSIVE, real(lock_));
}

LO_EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock_)
{
    LO_PTHREAD_REAL(pthread_spin_unlock);
    PASSED(lock_, real(lock_));
    uintptr_t pc = LO_CALLER();
    GIVE(lock_, LO_KIND_SPIN, 0, real(lock_));
}

LO_EXPORT int pthread_spin_init(pthread_spinlock_t *lock_, int shared)
{
    LO_PTHREAD_REAL(pthread_spin_init);
    INIT(lock_, LO_KIND_SPIN, shared ? LO_PSHARED : 0, real(lock_, shared));
}

LO_EXPORT int pthread_spin_destroy(pthread_spinlock_t *lock_)
{
    LO_PTHREAD_REAL(pthread_spin_destroy);
    DESTROY(lock_, LO_REAL(pthread_spin_trylock)(lock_) != 0, real(lock_));
}
