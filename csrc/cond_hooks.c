/* Conditions: the functions put before glibc's. A wait gives its mutex up and takes it again.
 *
 * pthread_cond_wait is a cancellation point (pthreads(7)): the thread can be unwound through our
 * frame, which is why the library is built with -fexceptions. Either way the mutex is held again.
 */
#include "locks.h"

#include <errno.h>
#include <time.h>

struct condition_wait {
    struct lo_call call;
    lo_id lock;
    pthread_mutex_t *mutex;
    uintptr_t pc;
    uint16_t count;
    bool takes; /* it did not have the mutex, and has it afterwards, unless it is refused */
};

static bool owns(const struct lo_thread *thread, const pthread_mutex_t *mutex)
{
    return lo_is_owner(thread, mutex->__data.__owner);
}

/* A mutex that another thread has, or nobody; glibc keeps the owner (nptl/pthread_cond_wait.c
 * unlocks it without a look). Told once for each place. */
static LO_COLD void not_held(struct lo_thread *thread, pthread_mutex_t *mutex, uintptr_t pc)
{
    struct lo_place *place = lo_find_place(lo_place_key(LO_WAIT_NOT_HELD, pc));
    if (place == NULL || atomic_load(&place->count) > 0)
        return;
    lo_id lock = lo_lock_add((uintptr_t)mutex, LO_KIND_MUTEX, lo_mutex_flags(mutex), pc);
    if (lock != 0)
        lo_misuse(thread, LO_WAIT_NOT_HELD, lock, 0, 0);
    lo_note_recorded(place);
}

static void wait_begins(struct condition_wait *wait, enum lo_hook hook, uintptr_t condition,
                        pthread_mutex_t *mutex, uintptr_t pc)
{
    wait->lock = 0;
    wait->mutex = mutex;
    wait->pc = pc;
    wait->count = 1;
    wait->takes = false;
    struct lo_thread *thread = lo_enter();
    if (thread != NULL) {
        int saved_errno = errno;
        lo_busy(thread);
        int index = lo_find_held_at(thread, (uintptr_t)mutex);
        if (index >= 0) {
            wait->lock = thread->area->held[index].lock;
            wait->count = thread->area->held[index].count;
            lo_remove(thread, (uint32_t)index);
            lo_drop_gil(thread);
        } else if (!owns(thread, mutex) && thread->overflow == 0) {
            not_held(thread, mutex, pc);
            wait->takes = true;
        }
        lo_idle(thread);
        errno = saved_errno;
    }
    lo_call_begin(&wait->call, hook, condition, pc, wait->lock);
}

static void wait_ends(struct condition_wait *wait)
{
    lo_call_end(&wait->call);
    struct lo_thread *thread = lo_enter();
    if (thread == NULL || (wait->lock == 0 && !(wait->takes && owns(thread, wait->mutex))))
        return;
    int saved_errno = errno;
    lo_note_gil(thread, wait->pc);
    /* An unwinding may have found out that it lies where another one lay. */
    uintptr_t address = (uintptr_t)wait->mutex;
    if (!lo_lies_at(wait->lock, address))
        wait->lock = lo_lock_add(address, LO_KIND_MUTEX, lo_mutex_flags(wait->mutex), wait->pc);
    if (wait->lock != 0)
        lo_push(thread, wait->lock, LO_EXCLUSIVE, LO_BLOCKING, wait->pc);
    int index = lo_find_held(thread, wait->lock);
    if (index >= 0)
        thread->area->held[index].count = wait->count;
    errno = saved_errno;
}

#define CONDITION_WAIT(name, params, args)                                                         \
    LO_EXPORT int name params                                                                      \
    {                                                                                              \
        LO_PTHREAD_REAL(name);                                                                     \
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

/* C11's: glibc's call the real ones of pthread, whose mutex theirs is (nptl/cnd_wait.c). */
#define C11_WAIT(name, params, args)                                                               \
    int lo_wrap_##name params;                                                                     \
    int lo_wrap_##name params                                                                      \
    {                                                                                              \
        int(*real) params = LO_REAL(name);                                                         \
        struct condition_wait wait __attribute__((cleanup(wait_ends)));                            \
        wait_begins(&wait, LO_HOOK_##name, (uintptr_t)condition, (pthread_mutex_t *)mutex,         \
                    LO_CALLER());                                                                  \
        return real args;                                                                          \
    }

C11_WAIT(cnd_wait, (cnd_t * condition, mtx_t *mutex), (condition, mutex))
C11_WAIT(cnd_timedwait, (cnd_t * condition, mtx_t *mutex, const struct timespec *deadline),
         (condition, mutex, deadline))
