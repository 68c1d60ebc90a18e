/* The locks that a thread holds, oldest first, and the hash of that chain.
 *
 * As in the kernel's lockdep, a chain that this thread has had before costs a look into its own
 * table: nothing that another thread writes is read, and nothing that another reads is written,
 * but the thread's own area of the trace.
 */
#include "shim.h"

#define MIX 0x9e3779b97f4a7c15u

static inline uint64_t extend(uint64_t hash, lo_id lock, uint8_t mode, uint8_t how)
{
    hash = (hash ^ ((uint64_t)lock << 4 | (uint64_t)mode << 2 | how)) * MIX;
    return hash ^ hash >> 31;
}

uint64_t lo_chain_hash(const struct lo_thread *thread)
{
    return thread->depth == 0 ? MIX : thread->hash[thread->depth - 1];
}

/* True if this thread has not had the chain before, as far as its table remembers. */
static inline bool look_at_chain(struct lo_thread *thread, struct lo_held_lock taken, uint64_t hash)
{
    if (LO_LIKELY(lo_cached_chain(thread, hash)->hash == hash))
        return false;
    lo_new_chain(thread, taken, hash);
    return true;
}

/* A lock is asked for and cannot be had at once: what that says of orders is recorded before
 * the thread blocks, since it may never come back. */
void lo_intend(struct lo_thread *thread, lo_id lock, uint8_t mode, uint8_t how, uintptr_t pc)
{
    struct lo_held_lock taken = {lock, mode, how, 1, pc};
    look_at_chain(thread, taken, extend(lo_chain_hash(thread), lock, mode, how));
}

static void note_depth(lo_id lock, uint32_t depth)
{
    uint16_t state = atomic_load_explicit(&lo_locks[lock].state, memory_order_relaxed);
    if (depth <= (uint32_t)(state >> LO_LOCK_DEEP_SHIFT))
        return;
    uint16_t low = (1 << LO_LOCK_DEEP_SHIFT) - 1;
    uint16_t wanted;
    do
        wanted = (uint16_t)((state & low) | depth << LO_LOCK_DEEP_SHIFT);
    while (!atomic_compare_exchange_weak(&lo_locks[lock].state, &state, wanted));
}

void lo_push(struct lo_thread *thread, lo_id lock, uint8_t mode, uint8_t how, uintptr_t pc)
{
    if (LO_UNLIKELY(thread->depth >= LO_MAX_HELD)) {
        thread->overflow++;
        lo_count(LO_HELD_OVERFLOW, 1);
        return;
    }
    if (LO_UNLIKELY(lock == 0)) /* no table of locks: no memory for it */
        return;
    lo_busy(thread);
    struct lo_held_lock taken = {lock, mode, how, 1, pc};
    uint64_t hash = extend(lo_chain_hash(thread), lock, mode, how);
    if (look_at_chain(thread, taken, hash)) {
        /* What turned out to be given up without a call is not in the chain any more. */
        hash = extend(lo_chain_hash(thread), lock, mode, how);
        note_depth(lock, thread->depth);
    }
    uint32_t depth = thread->depth;
    thread->area->held[depth] = taken;
    thread->hash[depth] = hash;
    thread->since[depth] = LO_UNLIKELY(++thread->ticks % LO_TIMED_EVERY == 0) ? lo_now() : 0;
    thread->depth = depth + 1;
    thread->area->depth = depth + 1;
    lo_idle(thread);
}

void lo_remove(struct lo_thread *thread, uint32_t index)
{
    if (LO_UNLIKELY(index >= thread->depth))
        return;
    lo_busy(thread);
    struct lo_held_lock *held = thread->area->held;
    if (LO_UNLIKELY(thread->since[index] != 0))
        lo_lock_timed(&lo_locks[held[index].lock].longest_hold_us, thread->since[index]);
    uint32_t depth = --thread->depth;
    if (LO_UNLIKELY(index < depth)) {
        uint64_t hash = index == 0 ? MIX : thread->hash[index - 1];
        for (uint32_t i = index; i < depth; i++) {
            held[i] = held[i + 1];
            thread->since[i] = thread->since[i + 1];
            hash = thread->hash[i] = extend(hash, held[i].lock, held[i].mode, held[i].how);
        }
    }
    thread->area->depth = depth;
    lo_idle(thread);
}

int lo_find_held(const struct lo_thread *thread, lo_id lock)
{
    const struct lo_held_lock *held = thread->area->held;
    for (uint32_t i = thread->depth; i > 0; i--)
        if (held[i - 1].lock == lock)
            return (int)i - 1;
    return -1;
}

static bool pop(struct lo_thread *thread, lo_id lock)
{
    struct lo_held_lock *held = thread->area->held;
    uint32_t depth = thread->depth;
    int index = LO_LIKELY(depth > 0 && held[depth - 1].lock == lock) ? (int)depth - 1
                                                                     : lo_find_held(thread, lock);
    if (LO_UNLIKELY(index < 0)) {
        if (thread->overflow == 0)
            return false;
        thread->overflow--;
        return true;
    }
    if (LO_UNLIKELY(held[index].count > 1))
        held[index].count--;
    else
        lo_remove(thread, (uint32_t)index);
    return true;
}

bool lo_pop(struct lo_thread *thread, lo_id lock)
{
    lo_busy(thread);
    bool found = pop(thread, lock);
    lo_idle(thread);
    return found;
}
