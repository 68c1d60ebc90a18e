/* Semaphores, pthread_once and the guards of function-local statics.
 *
 * A semaphore is a lock while whoever waited for it posts it. From the first post by another
 * thread it is a signal, which nobody holds. CPython's locks (up to 3.12) are semaphores, and
 * lock.acquire() asks without waiting first: from the interpreter that counts as a wait.
 */
#include "locks.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <time.h>

#define UNRESOLVED(real)                                                                           \
    if (LO_UNLIKELY((real) == NULL))                                                               \
    return (errno = lo_unresolved_status()) == 0 ? 0 : -1

static void semaphore_taken(struct lo_thread *thread, sem_t *semaphore, uint8_t how, uintptr_t pc)
{
    int saved_errno = errno;
    bool python = atomic_load(&lo_python_loaded) && lo_in_python(pc);
    uint8_t kind = python ? LO_KIND_PYTHON_LOCK : LO_KIND_SEMAPHORE;
    lo_id lock = lo_lock_add((uintptr_t)semaphore, kind, 0, pc);
    if (lock != 0 && !lo_is_signal(lock) && lo_find_held(thread, lock) < 0)
        lo_push(thread, lock, LO_EXCLUSIVE, python && how == LO_TRY ? LO_BLOCKING : how, pc);
    else if (lock != 0)
        atomic_fetch_add_explicit(&lo_locks[lock].acquisitions, 1, memory_order_relaxed);
    errno = saved_errno;
}

/* Waits: the quick way first, then what the wish says, then the call. */
#define SEMAPHORE_WAIT(name, how, params, args)                                                    \
    LO_EXPORT int name params                                                                      \
    {                                                                                              \
        __typeof__(&name) real = LO_REAL(name);                                                    \
        UNRESOLVED(real);                                                                          \
        /* The call is a cancellation point also where there is nothing to wait for. */            \
        pthread_testcancel();                                                                      \
        struct lo_thread *thread = lo_enter();                                                     \
        if (thread == NULL)                                                                        \
            return real args;                                                                      \
        int saved_errno = errno;                                                                   \
        lo_id lock = lo_lock_known((uintptr_t)semaphore);                                          \
        /* Who has it and wants it again waits for another to post it: a signal, too. */           \
        bool signal = lock != 0 && (lo_is_signal(lock) || lo_find_held(thread, lock) >= 0);        \
        /* A wait for a signal under a lock is one, also where the signal came first. */           \
        bool patient = signal && thread->depth > (lo_is_signal(lock) ? 0 : 1);                     \
        int status = patient ? -1 : LO_REAL(sem_trywait)(semaphore);                               \
        if (status != 0) {                                                                         \
            errno = saved_errno;                                                                   \
            if (!signal && lock != 0)                                                              \
                lock = lo_intend(thread, lock, LO_EXCLUSIVE, how, LO_CALLER());                    \
            /* To wait for a lock is an order, told above; to wait for a signal is a call. */      \
            struct lo_call call __attribute__((cleanup(lo_call_end))) = {NULL, NULL, 0};           \
            if (signal)                                                                            \
                lo_call_begin(&call, LO_HOOK_##name, (uintptr_t)semaphore, LO_CALLER(), lock);     \
            status = real args;                                                                    \
        }                                                                                          \
        if (status == 0)                                                                           \
            semaphore_taken(thread, semaphore, how, LO_CALLER());                                  \
        return status;                                                                             \
    }

SEMAPHORE_WAIT(sem_wait, LO_BLOCKING, (sem_t * semaphore), (semaphore))
SEMAPHORE_WAIT(sem_timedwait, LO_TIMED, (sem_t * semaphore, const struct timespec *deadline),
               (semaphore, deadline))
SEMAPHORE_WAIT(sem_clockwait, LO_TIMED,
               (sem_t * semaphore, clockid_t clock, const struct timespec *deadline),
               (semaphore, clock, deadline))

LO_EXPORT int sem_trywait(sem_t *semaphore)
{
    __typeof__(&sem_trywait) real = LO_REAL(sem_trywait);
    UNRESOLVED(real);
    struct lo_thread *thread = lo_enter();
    int status = real(semaphore);
    if (thread != NULL && status == 0)
        semaphore_taken(thread, semaphore, LO_TRY, LO_CALLER());
    return status;
}

LO_EXPORT int sem_post(sem_t *semaphore)
{
    __typeof__(&sem_post) real = LO_REAL(sem_post);
    UNRESOLVED(real);
    struct lo_thread *thread = lo_enter();
    if (thread != NULL) {
        lo_id lock = lo_lock_known((uintptr_t)semaphore);
        if (lock != 0 && !lo_is_signal(lock) && !lo_pop(thread, lock))
            lo_lock_becomes_signal(thread, lock);
    }
    return real(semaphore);
}

LO_EXPORT int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    __typeof__(&sem_init) real = LO_REAL(sem_init);
    UNRESOLVED(real);
    int status = real(semaphore, shared, value);
    if (status != 0)
        return status;
    bool python = atomic_load(&lo_python_loaded) && lo_in_python(LO_CALLER());
    lo_id lock =
        lo_lock_born((uintptr_t)semaphore, python ? LO_KIND_PYTHON_LOCK : LO_KIND_SEMAPHORE,
                     shared ? LO_PSHARED : 0, LO_CALLER());
    if (lock != 0 && value != 1) { /* made to be waited for, or to count */
        atomic_fetch_or(&lo_locks[lock].state, LO_LOCK_SIGNAL);
        lo_locks[lock].flags |= LO_SIGNAL;
    }
    return status;
}

LO_EXPORT int sem_destroy(sem_t *semaphore)
{
    __typeof__(&sem_destroy) real = LO_REAL(sem_destroy);
    UNRESOLVED(real);
    int status = real(semaphore);
    if (status == 0)
        lo_lock_ends((uintptr_t)semaphore, LO_DEATHS_BY_DESTROY);
    return status;
}

/* One that several processes have by its name. Who opens one that is there does not say what it
 * began with. */
LO_EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
    __typeof__(&sem_open) real = LO_REAL(sem_open);
    mode_t mode = 0;
    unsigned value = 1;
    if (flags & O_CREAT) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        value = va_arg(rest, unsigned);
        va_end(rest);
    }
    if (real == NULL) {
        errno = ENOSYS;
        return SEM_FAILED;
    }
    sem_t *semaphore = real(name, flags, mode, value);
    if (semaphore == SEM_FAILED)
        return semaphore;
    int now = 1;
    (void)sem_getvalue(semaphore, &now);
    lo_id lock = lo_lock_born((uintptr_t)semaphore, LO_KIND_SEMAPHORE, LO_PSHARED, LO_CALLER());
    if (lock != 0 && (value != 1 || now > 1)) {
        atomic_fetch_or(&lo_locks[lock].state, LO_LOCK_SIGNAL);
        lo_locks[lock].flags |= LO_SIGNAL;
    }
    return semaphore;
}

LO_EXPORT int sem_close(sem_t *semaphore)
{
    __typeof__(&sem_close) real = LO_REAL(sem_close);
    UNRESOLVED(real);
    int status = real(semaphore);
    if (status == 0)
        lo_lock_ends((uintptr_t)semaphore, LO_DEATHS_BY_DESTROY);
    return status;
}

/* ---- pthread_once, static initialisers ---------------------------------------------------- */

/* Whoever initialises holds the once; whoever comes meanwhile waits for it. */
static lo_id once_begins(struct lo_thread *thread, uintptr_t address, uint8_t kind, uintptr_t pc)
{
    int saved_errno = errno;
    lo_id lock = lo_lock_add(address, kind, 0, pc);
    if (lock != 0 && lo_find_held(thread, lock) < 0)
        lock = lo_intend(thread, lock, LO_EXCLUSIVE, LO_BLOCKING, pc);
    errno = saved_errno;
    return lock;
}

struct running_once {
    struct lo_thread *thread;
    lo_id lock;
};

static void once_ends(struct running_once *once)
{
    if (once->thread != NULL && once->lock != 0)
        lo_pop(once->thread, once->lock);
}

static LO_THREAD_LOCAL struct {
    void (*function)(void);
    lo_id lock;
    uintptr_t pc;
} pending_once;

static void run_once(void)
{
    void (*function)(void) = pending_once.function;
    struct running_once once __attribute__((cleanup(once_ends))) = {lo_enter(), pending_once.lock};
    if (once.thread != NULL && once.lock != 0)
        lo_push(once.thread, once.lock, LO_EXCLUSIVE, LO_BLOCKING, pending_once.pc);
    else
        once.lock = 0;
    function();
}

static void pass_once(struct lo_thread *thread, pthread_once_t *control, uintptr_t pc)
{
    int saved_errno = errno;
    lo_pass(thread, (uintptr_t)control, LO_KIND_ONCE, pc);
    lo_leaf_learn_passed(thread, (uintptr_t)control);
    errno = saved_errno;
}

static LO_ALWAYS_INLINE int once(pthread_once_t *control, void (*function)(void))
{
    LO_PTHREAD_REAL(pthread_once);
    enum { DONE = 2 }; /* glibc: __PTHREAD_ONCE_DONE (nptl/pthread_once.c) */
    struct lo_thread *thread;
    if (LO_LIKELY(__atomic_load_n((int *)control, __ATOMIC_ACQUIRE) & DONE)) {
        /* Under a lock it might have come while the function ran. */
        if (lo_is_inner(LO_CALLER()))
            return 0;
        thread = lo_self;
        bool holds = thread != NULL && (thread->depth > 0 || thread->passing != 0);
        if (holds && !lo_is_inside(thread)) {
            uint64_t key = lo_leaf_key(lo_chain_now(thread), (uintptr_t)control, LO_EXCLUSIVE);
            struct lo_leaf *leaf = lo_known_leaf(thread, key, (uintptr_t)control);
            if (leaf != NULL && leaf->rests != 0) {
                leaf->rests--;
                return 0;
            }
        }
        if (LO_UNLIKELY(holds) && (thread = lo_enter()) != NULL)
            pass_once(thread, control, LO_CALLER());
        return 0;
    }
    thread = lo_enter();
    if (thread == NULL)
        return real(control, function);
    uintptr_t pc = LO_CALLER();
    pending_once.function = function;
    pending_once.pc = pc;
    pending_once.lock = once_begins(thread, (uintptr_t)control, LO_KIND_ONCE, pc);
    return real(control, run_once);
}

LO_EXPORT int pthread_once(pthread_once_t *control, void (*function)(void))
{
    return once(control, function);
}

/* glibc's once_flag is a pthread_once_t (nptl/call_once.c). */
void lo_wrap_call_once(once_flag *flag, void (*function)(void));
void lo_wrap_call_once(once_flag *flag, void (*function)(void))
{
    (void)once((pthread_once_t *)flag, function);
}

/* Itanium C++ ABI 3.3.3: the first byte of a guard says that initialisation is complete. */
int lo_wrap___cxa_guard_acquire(uint64_t *guard);
int lo_wrap___cxa_guard_acquire(uint64_t *guard)
{
    int (*real)(uint64_t *) = (int (*)(uint64_t *))lo_real(LO_HOOK___cxa_guard_acquire);
    struct lo_thread *thread = lo_enter();
    lo_id lock = 0;
    if (thread != NULL && __atomic_load_n((char *)guard, __ATOMIC_ACQUIRE) == 0)
        lock = once_begins(thread, (uintptr_t)guard, LO_KIND_STATIC_INIT, LO_CALLER());
    int first = real(guard);
    if (first != 0 && lock != 0)
        lo_push(thread, lock, LO_EXCLUSIVE, LO_BLOCKING, LO_CALLER());
    return first;
}

static void guard_ends(uint64_t *guard)
{
    struct lo_thread *thread = lo_enter();
    lo_id lock = thread != NULL ? lo_lock_known((uintptr_t)guard) : 0;
    if (lock != 0)
        lo_pop(thread, lock);
}

void lo_wrap___cxa_guard_release(uint64_t *guard);
void lo_wrap___cxa_guard_release(uint64_t *guard)
{
    guard_ends(guard);
    ((void (*)(uint64_t *))lo_real(LO_HOOK___cxa_guard_release))(guard);
}

void lo_wrap___cxa_guard_abort(uint64_t *guard);
void lo_wrap___cxa_guard_abort(uint64_t *guard)
{
    guard_ends(guard);
    ((void (*)(uint64_t *))lo_real(LO_HOOK___cxa_guard_abort))(guard);
}
