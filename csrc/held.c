/* The locks that a thread holds, oldest first, and the hash of that chain.
 *
 * As in the kernel's lockdep, a chain that this thread has had before costs a look into its own
 * table: nothing that another thread writes is read, and nothing that another reads is written,
 * but the thread's own area of the trace.
 */
#include "locks.h"

#define MIX 0x9e3779b97f4a7c15u

/* A chain by its locks; and, while the trace is being folded, by places, if a lock in it comes and
 * goes: such a lock stands for all that are taken where it was. */
struct chain {
    uint64_t hash;
    uint64_t place;
};

static inline uint64_t mix(uint64_t hash, uint64_t what)
{
    hash = (hash ^ what) * MIX;
    return hash ^ hash >> 31;
}

static inline struct chain chain_of(const struct lo_thread *thread, uint32_t depth)
{
    if (depth == 0)
        return (struct chain){MIX, 0};
    return (struct chain){thread->hash[depth - 1], thread->place[depth - 1]};
}

static inline struct chain extend(struct chain chain, const struct lo_held_lock *taken)
{
    uint64_t manner = (uint64_t)taken->mode << 2 | taken->how;
    struct chain longer = {mix(chain.hash, (uint64_t)taken->lock << 4 | manner), 0};
    if (LO_UNLIKELY(atomic_load_explicit(&lo_folding, memory_order_relaxed))) {
        bool goes = (atomic_load_explicit(&lo_locks[taken->lock].state, memory_order_relaxed) &
                     LO_LOCK_COMES_AND_GOES) != 0;
        if (goes || chain.place != 0) {
            uint64_t below = chain.place != 0 ? chain.place : chain.hash;
            uint64_t what = goes ? MIX : (uint64_t)taken->lock << 4;
            longer.place = mix(below, (what | manner) ^ taken->pc << 24) | 1;
        }
    }
    return longer;
}

uint64_t lo_chain_hash(const struct lo_thread *thread)
{
    return chain_of(thread, thread->depth).hash;
}

/* True if this thread has not had the chain before, as far as its table remembers. */
static inline bool look_at_chain(struct lo_thread *thread, struct lo_held_lock taken,
                                 struct chain chain)
{
    if (LO_LIKELY(lo_cached_chain(thread, chain.hash)->hash == chain.hash))
        return false;
    if (chain.place != 0 && lo_cached_chain(thread, chain.place)->hash == chain.place)
        return false;
    lo_new_chain(thread, taken, chain.hash, chain.place);
    return true;
}

/* A lock is asked for and cannot be had at once: what that says of orders is recorded before
 * the thread blocks, since it may never come back. */
void lo_intend(struct lo_thread *thread, lo_id lock, uint8_t mode, uint8_t how, uintptr_t pc)
{
    struct lo_held_lock taken = {lock, mode, how, 1, pc};
    look_at_chain(thread, taken, extend(chain_of(thread, thread->depth), &taken));
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
    struct chain chain = extend(chain_of(thread, thread->depth), &taken);
    if (look_at_chain(thread, taken, chain)) {
        /* What turned out to be given up without a call is not in the chain any more. */
        chain = extend(chain_of(thread, thread->depth), &taken);
        note_depth(lock, thread->depth);
    }
    uint32_t depth = thread->depth;
    thread->area->held[depth] = taken;
    thread->hash[depth] = chain.hash;
    thread->place[depth] = chain.place;
    thread->area->operations = ++thread->ticks;
    thread->since[depth] = LO_UNLIKELY(thread->ticks % LO_TIMED_EVERY == 0) ? lo_now() : 0;
    thread->depth = depth + 1;
    thread->area->depth = depth + 1;
    lo_idle(thread);
}

static inline void remove_at(struct lo_thread *thread, uint32_t index)
{
    struct lo_held_lock *held = thread->area->held;
    if (LO_UNLIKELY(thread->since[index] != 0))
        lo_lock_timed(&lo_locks[held[index].lock].longest_hold_us, thread->since[index]);
    uint32_t depth = --thread->depth;
    if (LO_UNLIKELY(index < depth)) {
        struct chain chain = chain_of(thread, index);
        for (uint32_t i = index; i < depth; i++) {
            held[i] = held[i + 1];
            thread->since[i] = thread->since[i + 1];
            chain = extend(chain, &held[i]);
            thread->hash[i] = chain.hash;
            thread->place[i] = chain.place;
        }
    }
    thread->area->depth = depth;
}

void lo_remove(struct lo_thread *thread, uint32_t index)
{
    lo_busy(thread);
    if (LO_LIKELY(index < thread->depth))
        remove_at(thread, index);
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

static inline bool pop(struct lo_thread *thread, lo_id lock)
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
        remove_at(thread, (uint32_t)index);
    return true;
}

bool lo_pop(struct lo_thread *thread, lo_id lock)
{
    lo_busy(thread);
    bool found = pop(thread, lock);
    lo_idle(thread);
    return found;
}
