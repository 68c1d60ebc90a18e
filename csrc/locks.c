/* What is known of a lock: its record, how often and how long it was taken and waited for. */
#include "locks.h"

#include <errno.h>
#include <string.h>

/* The child has a trace of its own, in which nothing is recorded yet; numbers go on. */
void lo_locks_after_fork(void)
{
    uint32_t count = lo_locks_made();
    for (uint32_t id = 1; id <= count; id++) {
        struct lo_lock *lock = &lo_locks[id];
        uint16_t keep = LO_LOCK_SIGNAL | LO_LOCK_COMES_AND_GOES;
        atomic_fetch_and(&lock->state, keep);
        lock->creation_stack = 0;
        atomic_store(&lock->acquisitions, 0);
        atomic_store(&lock->contended, 0);
        atomic_store(&lock->stat, 0);
    }
}

void lo_lock_record(struct lo_thread *thread, lo_id id, lo_id stack)
{
    struct lo_lock *lock = &lo_locks[id];
    if (atomic_fetch_or(&lock->state, LO_LOCK_RECORDED) & LO_LOCK_RECORDED)
        return;
    struct lo_lock_record *record = lo_trace_reserve(thread, sizeof *record);
    if (record == NULL)
        return;
    *record = (struct lo_lock_record){
        .record = {LO_LOCK, sizeof *record, id},
        .kind = lock->kind,
        .flags = lock->flags,
        .generation = lock->generation,
        .address = atomic_load(&lo_addresses[id]) & ~(uintptr_t)1,
        .creation_stack = lock->creation_stack,
        .first_stack = stack,
        .time_ns = lo_now(),
    };
    lo_trace_commit(thread, sizeof *record);
}

/* Something is known of a lock that its record does not say: it gets another. */
LO_COLD void lo_lock_learn(struct lo_thread *thread, lo_id id, uint8_t flag)
{
    struct lo_lock *lock = &lo_locks[id];
    int saved_errno = errno;
    lock->flags |= flag;
    uint16_t others = (uint16_t)~LO_LOCK_RECORDED;
    if (atomic_fetch_and(&lock->state, others) & LO_LOCK_RECORDED) {
        lo_busy(thread);
        lo_lock_record(thread, id, 0);
        lo_idle(thread);
    }
    errno = saved_errno;
}

/* A thread that does not hold it has released it. */
LO_COLD void lo_lock_becomes_signal(struct lo_thread *thread, lo_id lock)
{
    atomic_fetch_or(&lo_locks[lock].state, LO_LOCK_SIGNAL);
    lo_lock_learn(thread, lock, LO_SIGNAL);
}

/* How long it has been since *since* (ns), in µs, and *longest* raised to that. */
LO_COLD uint32_t lo_lock_timed(_Atomic uint32_t *longest, uint64_t since)
{
    uint64_t us = (lo_now() - since) / 1000;
    uint32_t time = us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
    uint32_t known = atomic_load(longest);
    while (time > known && !atomic_compare_exchange_weak(longest, &known, time))
        ;
    return time;
}

/* Whoever is first makes the record, and others go on: the figures are those of the next wait. */
static struct lo_stat_record *stat_record(struct lo_thread *thread, lo_id id)
{
    enum { CLAIMED = 1 }; /* the header lies there */
    struct lo_lock *lock = &lo_locks[id];
    uint32_t at = 0;
    if (!atomic_compare_exchange_strong(&lock->stat, &at, CLAIMED))
        return at == CLAIMED ? NULL : (struct lo_stat_record *)((char *)lo_trace + 8 * (size_t)at);
    lo_lock_record(thread, id, 0);
    struct lo_stat_record *record = lo_trace_reserve(thread, sizeof *record);
    if (record == NULL) {
        atomic_store(&lock->stat, 0);
        return NULL;
    }
    *record = (struct lo_stat_record){.record = {LO_STAT, sizeof *record, id}};
    lo_trace_commit(thread, sizeof *record);
    atomic_store(&lock->stat, (uint32_t)(((char *)record - (char *)lo_trace) / 8));
    return record;
}

/* Brings what the trace says of a lock up to date; false where there is no room for it. */
LO_COLD bool lo_lock_write_stat(struct lo_thread *thread, lo_id id)
{
    struct lo_stat_record *record = lo_trace != NULL ? stat_record(thread, id) : NULL;
    if (record == NULL)
        return false;
    struct lo_lock *lock = &lo_locks[id];
    atomic_store(&record->acquisitions, atomic_load(&lock->acquisitions));
    atomic_store(&record->contended, atomic_load(&lock->contended));
    atomic_store(&record->wait_ns, (uint64_t)atomic_load(&lock->wait_us) * 1000);
    atomic_store(&record->longest_wait_ns, (uint64_t)atomic_load(&lock->longest_wait_us) * 1000);
    atomic_store(&record->longest_hold_ns, (uint64_t)atomic_load(&lock->longest_hold_us) * 1000);
    record->deepest = atomic_load(&lock->state) >> LO_LOCK_DEEP_SHIFT;
    return true;
}

void lo_locks_write_stats(struct lo_thread *thread)
{
    uint32_t count = lo_locks_made();
    for (uint32_t id = 1; id <= count; id++) {
        struct lo_lock *lock = &lo_locks[id];
        uint32_t acquisitions = atomic_load(&lock->acquisitions);
        uint16_t state = atomic_load(&lock->state);
        if (!(state & LO_LOCK_RECORDED) && acquisitions < 1000 &&
            atomic_load(&lock->contended) == 0)
            continue;
        if (!lo_lock_write_stat(thread, id) && atomic_load(&lock->stat) == 0)
            return;
    }
}

/* Initialised: whatever lay here before is another lock. Its number, 0 where nothing is recorded.
 */
lo_id lo_lock_born(uintptr_t address, uint8_t kind, uint8_t flags, uintptr_t pc)
{
    struct lo_thread *thread = lo_enter();
    if (thread == NULL)
        return 0;
    int saved_errno = errno;
    lo_busy(thread);
    lo_lock_ends(address, LO_DEATHS_BY_DESTROY);
    lo_id id = lo_lock_add(address, kind, flags, pc);
    if (id != 0 && lo_in_python(pc))
        lo_locks[id].creation_stack = lo_stack_of_python(thread, pc);
    if (id != 0 && lo_locks[id].creation_stack == 0 && lo_may_unwind_freely(pc))
        lo_locks[id].creation_stack = lo_stack_here(thread);
    lo_idle(thread);
    errno = saved_errno;
    return id;
}
