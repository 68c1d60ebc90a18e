/* Locks that tell nothing yet: known by where they lie, until something happens under them.
 *
 * Most locks are given back before anything else is taken or waited for. Such a lock says no more
 * than that it is taken on top of what is held, and where this thread has had it on top of the same
 * before, all of that is told. So it is only noted that they are held; what they are is looked up
 * when something else is about to happen (lo_settle()). That is
 *
 *   of any code: a mutex or a reader-writer lock that this thread has had before on top of the same
 *     chain of locks, a leaf, unless something happened under it lately; one in so many is told in
 *     full, and timed;
 *   of libraries whose own locks are nobody else's business (inner.c): any of their locks, on top
 *     of one another, too. In what order such a library takes its own locks is not recorded with
 *     nothing of anybody else's held. Under the program's locks or the GIL one in so many of its
 *     calls is told in full, by the place and by what is held, so that what a call takes on every
 *     round of a loop comes to be known. Where other code takes a lock or waits under theirs, they
 *     are told. What a library takes under the program's locks can only be part of a cycle where
 *     the library runs code of others under its own: until that was seen, not all calls of a
 *     thread are looked at after the first few thousand;
 *   mutexes that come and go, from places of which all is told (held.c): the first of them is
 *     looked at in full, and then one in so many.
 *
 * They stand behind the list of held locks in the thread's area, where readers see them.
 */
#include "locks.h"

#include <errno.h>
#include <string.h>

enum { TELL_ONE_IN = 64 }; /* of a library's calls under the program's locks */

/* So many of a thread's are looked at; then one in LOOK_AT_ONE_IN. */
enum { LOOK_AT_FIRST = 4096, LOOK_AT_ONE_IN = 64 };

atomic_bool lo_inner_is_crossed;

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
        lo_find_leaf(thread, lo_leaf_key(0, address, LO_EXCLUSIVE)) == NULL)
        return LO_WAY_TOLD;
    if (lo_is_inside(thread))
        return LO_WAY_INNER;
    if (thread->inner_looks < LOOK_AT_FIRST)
        thread->inner_looks++;
    else if (!atomic_load_explicit(&lo_inner_is_crossed, memory_order_relaxed))
        thread->inner_rests = LOOK_AT_ONE_IN - 1;
    const struct lo_level *top = &thread->levels[depth];
    if (depth != 0 && top->inner)
        return LO_WAY_TOLD;
    bool gil = lo_holds_only(thread, depth, 1u << LO_KIND_PYTHON_LOCK) && lo_has_gil_perhaps();
    if (depth == 0 && passing == 0 && !gil)
        return LO_WAY_INNER;
    uint64_t key = lo_mix(top->place != 0 ? top->place : top->hash, pc << 1 | gil);
    if (passing != 0) {
        const struct lo_held_lock *last = &thread->area->held[depth + passing - 1];
        bool leaf = (last->how & LO_PASSES_LEAF) != 0;
        key = lo_mix(key, leaf ? lo_passing_address(last) : last->pc);
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
static void tell(struct lo_thread *thread, struct lo_leaf *known)
{
    uint32_t count = known->lock != 0 ? LO_TIMED_EVERY - 1u - known->rests : 0;
    if (count == 0)
        return;
    if (lo_alive_at(known->lock) != 0)
        atomic_fetch_add_explicit(&lo_locks[known->lock].acquisitions, count, memory_order_relaxed);
    else
        thread->passed += count;
    known->rests = LO_TIMED_EVERY - 1;
}

void lo_leaves_flush(struct lo_thread *thread)
{
    for (uint32_t i = 0; i < LO_LEAVES; i++) {
        tell(thread, &thread->leaves[i][0]);
        tell(thread, &thread->leaves[i][1]);
    }
}

/* The place of *key*: the one that it has, or that of what was used less. */
static struct lo_leaf *place_for(struct lo_thread *thread, uint64_t key)
{
    struct lo_leaf *known = lo_find_leaf(thread, key);
    if (known != NULL)
        return known;
    struct lo_leaf *leaves = lo_leaves_at(thread, key);
    return &leaves[leaves[0].key != 0 && (leaves[1].key == 0 || leaves[1].rests > leaves[0].rests)];
}

/* The lock at *address*, of that *key*, was taken, and told; it is the last one that the thread
 * holds. */
void lo_leaf_learn(struct lo_thread *thread, uint64_t key, uintptr_t address)
{
    lo_busy(thread);
    struct lo_leaf *known = place_for(thread, key);
    struct lo_level *level = &thread->levels[thread->depth];
    bool same = known->key == key;
    if (same && known->rests == 0 && level->since == 0)
        level->since = lo_now();
    tell(thread, known);
    uint16_t nested = same && known->nested != 0 ? known->nested - 1 : 0;
    *known = (struct lo_leaf){key,
                              lo_chain_below(thread),
                              thread->area->held[thread->depth - 1].lock,
                              lo_stamp(address),
                              LO_TIMED_EVERY - 1,
                              nested};
    lo_idle(thread);
}

/* Kept as one of which there is nothing to tell; it has no number here. */
static struct lo_leaf *keep(struct lo_thread *thread, struct lo_leaf leaf)
{
    struct lo_leaf *known = place_for(thread, leaf.key);
    tell(thread, known);
    leaf.rests = LO_TIMED_EVERY - 1;
    *known = leaf;
    return known;
}

/* A lock that comes and goes was asked for in the call at *pc*, and there is nothing to tell of it;
 * *above* is the chain with it. */
struct lo_leaf *lo_leaf_learn_call(struct lo_thread *thread, uintptr_t pc, uint64_t above)
{
    uint64_t key = lo_leaf_of_call(lo_chain_below(thread), pc);
    return keep(thread, (struct lo_leaf){.key = key, .above = above});
}

/* The lock at *address* was passed by (lo_pass()): nobody has it. */
void lo_leaf_learn_passed(struct lo_thread *thread, uintptr_t address)
{
    uint64_t key = lo_leaf_key(lo_chain_below(thread), address, LO_EXCLUSIVE);
    if (thread->unseen == 0)
        keep(thread, (struct lo_leaf){.key = key, .stamp = lo_stamp(address)});
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
    /* What is above it is on top of another chain by now, which may not have been told. */
    memset(&thread->above[index - 1], 0xff, (passing - index) * sizeof *thread->above);
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
    struct lo_manner manner = manner_of(held);
    uint64_t chain = lo_chain_below(thread);
    lo_take_passed(thread, address, manner, held->pc);
    if (held->how & LO_PASSES_INNER) {
        thread->inner_passed--;
        thread->levels[thread->depth].inner = thread->depth > 0;
        return;
    }
    if ((held->how & LO_PASSES_LEAF) == 0) {
        thread->passed--;
        return;
    }
    struct lo_leaf *known = lo_find_leaf(thread, lo_leaf_key(chain, address, manner.mode));
    if (known != NULL && known->rests < LO_TIMED_EVERY - 1) {
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
