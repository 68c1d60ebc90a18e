/* Locks that tell nothing yet: known by where they lie, until something happens under them.
 *
 * Most locks are taken with nothing else held, and given back before anything else is taken or
 * waited for. That is no order, and no wait under a lock. So it is only noted that they are held;
 * what they are is looked up when something else is about to happen (lo_settle()). That is
 *
 *   of any code: a mutex that this thread has had before with nothing held, unless something
 *     happened under it lately; one in so many is told in full, and timed;
 *   of libraries whose own locks are nobody else's business (inner.c): any of their locks, on top
 *     of one another, too. In what order such a library takes its own locks is not recorded with
 *     nothing of anybody else's held. Under the program's locks or the GIL one in so many of its
 *     calls is told in full, by the place and by what is held, so that what a call takes on every
 *     round of a loop comes to be known. Where other code takes a lock or waits under theirs, they
 *     are told;
 *   mutexes that come and go, from places of which all is told (held.c).
 *
 * They stand behind the list of held locks in the thread's area, where readers see them.
 */
#include "locks.h"

#include <errno.h>
#include <string.h>

enum { TELL_ONE_IN = 64 }; /* of a library's calls under the program's locks */

/* As for lo_way_of(), in code of such a library. What its call takes below a lock that is told is
 * told, too. A lock to write under is told once by each thread, since it says something of those
 * who read. */
enum lo_way lo_inner_way(struct lo_thread *thread, uintptr_t address, struct lo_manner manner,
                         uintptr_t pc)
{
    uint32_t depth = thread->depth, passing = thread->passing;
    if (passing == LO_MAX_PASSING || depth + LO_MAX_PASSING > LO_MAX_HELD)
        return LO_WAY_TOLD;
    if (manner.kind == LO_KIND_RWLOCK && manner.mode == LO_EXCLUSIVE &&
        lo_alone_of(thread, address)->address != address)
        return LO_WAY_TOLD;
    if (lo_is_inside(thread))
        return LO_WAY_INNER;
    const struct lo_level *top = &thread->levels[depth];
    if (depth != 0 && top->inner)
        return LO_WAY_TOLD;
    bool gil = lo_holds_only(thread, depth, 1u << LO_KIND_PYTHON_LOCK) && lo_has_gil_perhaps();
    if (depth == 0 && passing == 0 && !gil)
        return LO_WAY_INNER;
    uint64_t key = lo_mix(top->place != 0 ? top->place : top->hash, pc << 1 | gil);
    if (passing != 0) {
        const struct lo_held_lock *last = &thread->area->held[depth + passing - 1];
        bool alone = (last->how & LO_PASSES_ALONE) != 0;
        key = lo_mix(key, alone ? lo_passing_address(last) : last->pc);
    }
    uint64_t *sampled = &thread->sampled[key >> 55], rests = *sampled % TELL_ONE_IN;
    if ((*sampled ^ key) < TELL_ONE_IN && rests != 0) {
        --*sampled;
        return LO_WAY_INNER;
    }
    *sampled = key | (TELL_ONE_IN - 1);
    return LO_WAY_TOLD;
}

/* How often a lock was taken since it was last told becomes visible. */
static void tell(struct lo_thread *thread, struct lo_alone *known)
{
    uint32_t count = known->address != 0 ? LO_TIMED_EVERY - 1u - known->rests : 0;
    if (count == 0)
        return;
    lo_id lock = known->lock;
    if (!lo_lies_at(lock, known->address)) /* another one is there by now, or none with a number */
        lock = lo_lock_known(known->address);
    if (lock != 0)
        atomic_fetch_add_explicit(&lo_locks[lock].acquisitions, count, memory_order_relaxed);
    else
        thread->passed += count;
    known->rests = LO_TIMED_EVERY - 1;
}

void lo_alone_flush(struct lo_thread *thread)
{
    for (uint32_t i = 0; i < LO_ALONE; i++)
        tell(thread, &thread->alone[i]);
}

/* The lock at *address* was taken, and told; it is the last one that the thread holds. */
void lo_alone_learn(struct lo_thread *thread, uintptr_t address)
{
    struct lo_alone *known = lo_alone_of(thread, address);
    lo_busy(thread);
    struct lo_level *level = &thread->levels[thread->depth];
    if (known->address == address && known->rests == 0 && level->since == 0)
        level->since = lo_now();
    tell(thread, known);
    uint16_t nested = known->address == address && known->nested != 0 ? known->nested - 1 : 0;
    *known = (struct lo_alone){address, thread->area->held[thread->depth - 1].lock,
                               LO_TIMED_EVERY - 1, nested};
    lo_idle(thread);
}

/* Whether one of them lies in this memory. */
bool lo_passing_within(const struct lo_thread *thread, uintptr_t start, size_t size)
{
    const struct lo_held_lock *held = &thread->area->held[thread->depth];
    for (uint32_t i = 0; i < thread->passing; i++)
        if (lo_passing_address(&held[i]) - start < size)
            return true;
    return false;
}

/* One that is not the last is given back, if it is one of them. */
LO_COLD bool lo_passed_below(struct lo_thread *thread, uintptr_t address)
{
    struct lo_held_lock *held = &thread->area->held[thread->depth];
    uint32_t passing = thread->passing, index = passing;
    while (index > 0 && lo_passing_address(&held[index - 1]) != address)
        index--;
    if (index == 0)
        return false;
    lo_busy(thread);
    memmove(&held[index - 1], &held[index], (passing - index) * sizeof *held);
    thread->passing = thread->area->passing = passing - 1;
    lo_idle(thread);
    return true;
}

static struct lo_manner manner_of(const struct lo_held_lock *held)
{
    uint8_t kind = held->how & 15;
    uint8_t flags = 0;
    if (kind == LO_KIND_MUTEX)
        flags = lo_mutex_flags((const pthread_mutex_t *)lo_passing_address(held));
    return (struct lo_manner){kind, flags, held->mode, held->how >> 4 & 3};
}

static void settle_one(struct lo_thread *thread, const struct lo_held_lock *held)
{
    uintptr_t address = lo_passing_address(held);
    lo_take_passed(thread, address, manner_of(held), held->pc);
    struct lo_alone *known = lo_alone_of(thread, address);
    if (held->how & LO_PASSES_INNER) {
        thread->inner_passed--;
        thread->levels[thread->depth].inner = thread->depth > 0;
    } else if (!(held->how & LO_PASSES_ALONE)) {
        thread->passed--;
    } else if (known->address == address && known->rests < LO_TIMED_EVERY - 1) {
        known->rests++;
        known->nested = LO_NESTED_TIMES;
    }
}

/* Something else is about to be taken, or waited for: they are taken now, as far as anybody can
 * tell. */
LO_COLD void lo_settle(struct lo_thread *thread)
{
    int saved_errno = errno;
    struct lo_held_lock held[LO_MAX_PASSING];
    uint32_t passing = thread->passing;
    memcpy(held, &thread->area->held[thread->depth], passing * sizeof *held);
    thread->passing = thread->area->passing = 0;
    for (uint32_t i = 0; i < passing; i++)
        settle_one(thread, &held[i]);
    errno = saved_errno;
}

/* The number of another thread's, which may be gone already; 0: there is no room. */
lo_id lo_passing_number(const struct lo_held_lock *held)
{
    return lo_lock_add(lo_passing_address(held), held->how & 15, 0, held->pc);
}
