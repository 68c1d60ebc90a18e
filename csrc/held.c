/* The locks that a thread holds, oldest first, and the hash of that chain.
 *
 * As in the kernel's lockdep, a chain that this thread has had before costs a look into its own
 * table: nothing that another thread writes is read but whether the lock is still there, and
 * nothing that another reads is written but the thread's own area of the trace. Programs come here
 * with their caches full of other things, so what counts is how many lines are touched: that one
 * look also says which lock an address is.
 */
#include "locks.h"

#include <errno.h>

/* A chain by its locks; and, while the trace is being folded, by places, if a lock in it comes and
 * goes: such a lock stands for all that are taken where it was. */
enum { MOST_COUNTED = (1 << 12) - 1, LIVES = 1 << 4 };

/* In the key of a transition under locks that were left out (thinning.c). */
static const uint64_t lacking = (uint64_t)1 << 63;

struct chain {
    uint64_t hash;
    uint64_t place;
};

static bool comes_and_goes(lo_id lock)
{
    return (atomic_load_explicit(&lo_locks[lock].state, memory_order_relaxed) &
            LO_LOCK_COMES_AND_GOES) != 0;
}

static inline struct chain extend(const struct lo_level *below, const struct lo_held_lock *taken,
                                  bool goes)
{
    uint64_t manner = (uint64_t)taken->mode << 2 | taken->how;
    struct chain longer = {lo_mix(below->hash, (uint64_t)taken->lock << 4 | manner), 0};
    if ((goes || below->place != 0) &&
        LO_LIKELY(atomic_load_explicit(&lo_folding, memory_order_relaxed))) {
        uint64_t former = below->place != 0 ? below->place : below->hash;
        uint64_t what = goes ? LO_MIX : (uint64_t)taken->lock << 4;
        longer.place = lo_mix(former, (what | manner) ^ taken->pc << 24) | 1;
    }
    return longer;
}

/* ---- transitions ------------------------------------------------------------------------- */

/* Where a key goes that its first row has no room for. */
static inline struct lo_transition *second_row(struct lo_thread *thread, uint64_t key)
{
    return thread->transitions[(key >> 44) % LO_ROWS];
}

static LO_COLD struct lo_transition *find_second(struct lo_thread *thread, uint64_t key)
{
    struct lo_transition *row = second_row(thread, key);
    for (uint32_t i = 0; i < LO_ROW; i++)
        if (row[i].key == key)
            return &row[i];
    return NULL;
}

/* The place of *key* in the table, NULL: it is not there. A row is a cache line, in which each key
 * has a place of its own and goes to another where that is taken. */
static inline struct lo_transition *find(struct lo_thread *thread, uint64_t key)
{
    struct lo_transition *row = lo_row(thread, key);
    uint64_t own = key >> 40;
    for (uint64_t i = 0; i < LO_ROW; i++)
        if (LO_LIKELY(row[(own + i) % LO_ROW].key == key))
            return &row[(own + i) % LO_ROW];
    return find_second(thread, key);
}

/* What a thread counted for itself becomes visible when its entry is given up. */
static void flush(struct lo_transition *entry)
{
    if (entry->lock != 0 && entry->count != 0)
        atomic_fetch_add_explicit(&lo_locks[entry->lock].acquisitions, entry->count,
                                  memory_order_relaxed);
    entry->count = 0;
}

void lo_locks_flush(struct lo_thread *thread)
{
    lo_leaves_flush(thread);
    lo_count(LO_LOCKS_PASSED, thread->passed);
    lo_count(LO_INNER_PASSED, thread->inner_passed);
    thread->passed = thread->inner_passed = 0;
    lo_thinning_count(thread);
    for (uint32_t row = 0; row < LO_ROWS; row++)
        for (uint32_t i = 0; i < LO_ROW; i++)
            flush(&thread->transitions[row][i]);
}

static inline void count_one(struct lo_transition *entry)
{
    if (LO_UNLIKELY(entry->count == MOST_COUNTED))
        flush(entry);
    entry->count++;
}

/* Where one that is new goes: what was used least goes away for it. Many are used once, those on
 * top of a lock that is gone by now. Where all are in use, they have to show it again. */
static struct lo_transition *find_room(struct lo_thread *thread, uint64_t key)
{
    struct lo_transition *rows[] = {lo_row(thread, key), second_row(thread, key)};
    uint64_t own = key >> 40;
    struct lo_transition *least = &rows[0][own % LO_ROW];
    for (uint64_t i = 0; i < 2 * LO_ROW; i++) {
        struct lo_transition *entry = &rows[i / LO_ROW][(own + i) % LO_ROW];
        if (entry->key == 0)
            return entry;
        if (entry->count < least->count)
            least = entry;
    }
    if (least->count > 1)
        for (uint64_t i = 0; i < 2 * LO_ROW; i++)
            flush(&rows[i / LO_ROW][i % LO_ROW]);
    return least;
}

static uint8_t life_of(lo_id lock)
{
    return lo_locks[lock].generation % LIVES;
}

/* Whether an entry is of this lock, and not of one before that had its number. */
static bool is_of(const struct lo_transition *entry, lo_id lock)
{
    return entry != NULL && entry->lock == lock && entry->life == life_of(lock);
}

void lo_remember(struct lo_thread *thread, uint64_t key, lo_id lock, lo_id stack)
{
    struct lo_transition *entry = find(thread, key);
    if (entry == NULL)
        entry = find_room(thread, key);
    flush(entry);
    *entry =
        (struct lo_transition){key, lock, comes_and_goes(lock), (uint16_t)stack, 0, life_of(lock)};
}

/* That of held[index] on top of the chain *below*, NULL if it is forgotten. */
static struct lo_transition *transition_on(struct lo_thread *thread, const struct lo_level *below,
                                           uint32_t index)
{
    const struct lo_held_lock *held = &thread->area->held[index];
    uint64_t key = lo_key(below, thread->levels[index + 1].address, held->mode, held->how);
    struct lo_transition *entry = find(thread, key);
    return entry != NULL && entry->lock == held->lock ? entry : NULL;
}

/* Where held[index] was taken, if that was kept: when its chain was new to this thread. */
lo_id lo_stack_on(struct lo_thread *thread, const struct lo_level *below, uint32_t index)
{
    const struct lo_transition *entry = transition_on(thread, below, index);
    return entry != NULL ? entry->stack : 0;
}

lo_id lo_stack_of(struct lo_thread *thread, uint32_t index)
{
    return lo_stack_on(thread, &thread->levels[index], index);
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

static inline uint64_t place_of(const struct lo_thread *thread, const struct lo_held_lock *taken)
{
    return extend(&thread->levels[thread->depth], taken, comes_and_goes(taken->lock)).place;
}

/* Whether there is nothing left to tell of chains with these places; 0: it has none. */
static bool is_told(struct lo_thread *thread, uint64_t place)
{
    struct lo_transition *entry = place != 0 ? find(thread, place) : NULL;
    if (entry != NULL)
        count_one(entry); /* what is used stays */
    return entry != NULL;
}

/* A transition that this thread has not had before, as far as its table remembers: tells what is
 * new of the chain. What turns out to be given up without a call leaves the list of held locks, and
 * what turns out to be another lock by now has another number then. */
static LO_COLD struct lo_transition *learn(struct lo_thread *thread, uint64_t key,
                                           struct lo_held_lock *taken)
{
    lo_id stack = 0;
    uint64_t place = place_of(thread, taken);
    if (LO_UNLIKELY(thread->unseen != 0)) /* what this chain lacks is not to be told as told */
        key ^= lacking;
    else if (!is_told(thread, place)) {
        stack = lo_new_chain(thread, taken, place);
        note_depth(taken->lock, thread->depth);
    }
    lo_remember(thread, key, taken->lock, stack);
    return find(thread, key);
}

/* A lock is asked for and cannot be had at once: what that says of orders is recorded before
 * the thread blocks, since it may never come back. The lock's number by then. */
lo_id lo_intend(struct lo_thread *thread, lo_id lock, uint8_t mode, uint8_t how, uintptr_t pc)
{
    if (lock == 0)
        return 0;
    lo_busy(thread);
    uint64_t key = lo_key(&thread->levels[thread->depth], lo_alive_at(lock), mode, how);
    const struct lo_transition *entry = find(thread, key);
    struct lo_held_lock taken = {lock, mode, how, 1, pc};
    if (!is_of(entry, lock))
        learn(thread, key, &taken);
    lo_idle(thread);
    return taken.lock;
}

/* What may have been a wait for the lock at *address*, had the thread come sooner, is over: an
 * order all the same. */
void lo_pass(struct lo_thread *thread, uintptr_t address, uint8_t kind, uintptr_t pc)
{
    uint64_t key = lo_key(&thread->levels[thread->depth], address, LO_EXCLUSIVE, LO_BLOCKING);
    const struct lo_transition *entry = find(thread, key);
    if (LO_LIKELY(entry != NULL && lo_lies_at(entry->lock, address)))
        return;
    lo_busy(thread);
    lo_id lock = lo_lock_add(address, kind, 0, pc);
    if (lock != 0 && lo_find_held(thread, lock) < 0)
        lo_intend(thread, lock, LO_EXCLUSIVE, LO_BLOCKING, pc);
    lo_idle(thread);
}

/* ---- the list ---------------------------------------------------------------------------- */

static LO_COLD void overflow(struct lo_thread *thread)
{
    thread->overflow++;
    lo_count(LO_HELD_OVERFLOW, 1);
}

static inline void push(struct lo_thread *thread, struct lo_held_lock taken, bool goes,
                        uintptr_t address, uint8_t kind)
{
    uint32_t depth = thread->depth;
    struct chain chain = extend(&thread->levels[depth], &taken, goes);
    uint64_t since = LO_UNLIKELY(++thread->ticks % LO_TIMED_EVERY == 0) ? lo_now() : 0;
    thread->levels[depth + 1] =
        (struct lo_level){chain.hash, chain.place, address, since, kind, false};
    thread->depth = depth + 1;
    struct lo_thread_area *area = thread->area;
    area->held[depth] = taken;
    area->operations = thread->ticks;
    /* Whoever reads the file of a process that was killed sees no entry before it is there. */
    atomic_signal_fence(memory_order_seq_cst);
    area->depth = depth + 1;
}

/* A reader-writer lock that somebody waits to write under. */
static inline void note_written(struct lo_thread *thread, lo_id lock, struct lo_manner manner)
{
    if (LO_UNLIKELY(manner.kind == LO_KIND_RWLOCK && manner.mode == LO_EXCLUSIVE &&
                    manner.how == LO_BLOCKING) &&
        !(lo_locks[lock].flags & LO_WRITTEN))
        lo_lock_learn(thread, lock, LO_WRITTEN);
}

/* Mutexes that come and go, a step of training makes and frees hundreds, are mostly given back
 * before anything else happens. From places of which all is told, nothing about them is news: they
 * get no number, and no end, unless something is taken or waited for under them (lo_settle()). */
static const struct lo_manner PASSING = {LO_KIND_MUTEX, 0, LO_EXCLUSIVE, LO_BLOCKING};

/* The chain with it, by places, if it has nothing to tell; 0. */
static LO_COLD uint64_t has_nothing_to_tell(struct lo_thread *thread, struct lo_manner manner,
                                            uintptr_t pc)
{
    if (thread->depth + LO_MAX_PASSING > LO_MAX_HELD || manner.kind != PASSING.kind ||
        manner.flags != PASSING.flags || manner.mode != PASSING.mode || manner.how != PASSING.how ||
        !lo_locks_come_and_go(pc))
        return 0;
    struct lo_held_lock taken = {0, manner.mode, manner.how, 1, pc};
    uint64_t place = extend(&thread->levels[thread->depth], &taken, true).place;
    return thread->depth == 0 || is_told(thread, place) ? place : 0;
}

/* What lo_take() finds no transition for; NULL: there is no memory for the lock. On top of a lock
 * that comes and goes, a transition would not be needed again: if its places say that there is
 * nothing to tell, it is not kept, and the lock is known by where it lies. */
static LO_COLD struct lo_transition *take_new(struct lo_thread *thread,
                                              struct lo_transition *former, uint64_t key,
                                              uintptr_t address, struct lo_manner manner,
                                              uintptr_t pc)
{
    struct lo_held_lock taken = {0, manner.mode, manner.how, 1, pc};
    if (thread->levels[thread->depth].place != 0) {
        uint64_t alone = lo_mix(LO_MIX, address);
        struct lo_transition *entry = find(thread, alone);
        if (entry == NULL || !lo_lies_at(entry->lock, address)) {
            lo_remember(thread, alone, lo_lock_add(address, manner.kind, manner.flags, pc), 0);
            entry = find(thread, alone);
        }
        taken.lock = entry->lock;
        if (taken.lock != 0 && is_told(thread, place_of(thread, &taken)))
            return entry;
    } else {
        taken.lock = lo_lock_add(address, manner.kind, manner.flags, pc);
    }
    if (taken.lock == 0)
        return NULL;
    /* Another life under the same number, if the place is still that of the key: what was told
     * of the number need not be told again. */
    if (former != NULL && former->key == key && former->lock == taken.lock) {
        former->goes = comes_and_goes(taken.lock);
        return former;
    }
    note_written(thread, taken.lock, manner);
    return learn(thread, key, &taken);
}

/* The lock at *address*, a new one where its memory was used for another before, is taken. *key* is
 * that of this transition. */
static inline void take(struct lo_thread *thread, uint64_t key, uintptr_t address,
                        struct lo_manner manner, uintptr_t pc, bool may_pass)
{
    if (LO_UNLIKELY(thread->depth >= LO_MAX_HELD)) {
        overflow(thread);
        return;
    }
    lo_busy(thread);
    struct lo_transition *entry = find(thread, key);
    struct lo_held_lock taken = {0, manner.mode, manner.how, 1, pc};
    if (LO_UNLIKELY(entry == NULL || !lo_lies_at(entry->lock, address))) {
        uint64_t above = may_pass ? has_nothing_to_tell(thread, manner, pc) : 0;
        if (above != 0) {
            struct lo_pass pass = {LO_WAY_GOES, lo_leaf_learn_call(thread, pc, above)};
            lo_idle(thread);
            lo_passes(thread, address, manner, pc, pass);
            return;
        }
        entry = take_new(thread, entry, key, address, manner, pc);
    }
    if (LO_LIKELY(entry != NULL)) {
        taken.lock = entry->lock;
        note_written(thread, taken.lock, manner);
        count_one(entry);
        push(thread, taken, entry->goes, address, manner.kind);
    }
    lo_idle(thread);
}

void lo_take(struct lo_thread *thread, uint64_t key, uintptr_t address, struct lo_manner manner,
             uintptr_t pc)
{
    take(thread, key, address, manner, pc, true);
}

/* One of the locks that told nothing (passing.c) is taken after all. */
void lo_take_passed(struct lo_thread *thread, uintptr_t address, struct lo_manner manner,
                    uintptr_t pc)
{
    if (manner.flags & LO_RECURSIVE || manner.mode == LO_SHARED) {
        int index = lo_find_held_at(thread, address);
        if (index >= 0) {
            lo_take_again(thread, (uint32_t)index);
            return;
        }
    }
    uint64_t key = lo_key(&thread->levels[thread->depth], address, manner.mode, manner.how);
    thread->late = 1;
    take(thread, key, address, manner, pc, false);
    thread->late = 0;
}

/* A lock whose number is known is taken. */
void lo_push(struct lo_thread *thread, lo_id lock, uint8_t mode, uint8_t how, uintptr_t pc)
{
    if (LO_UNLIKELY(thread->depth >= LO_MAX_HELD)) {
        overflow(thread);
        return;
    }
    if (LO_UNLIKELY(lock == 0))
        return;
    lo_busy(thread);
    uintptr_t address = lo_alive_at(lock);
    uint64_t key = lo_key(&thread->levels[thread->depth], address, mode, how);
    struct lo_transition *entry = find(thread, key);
    struct lo_held_lock taken = {lock, mode, how, 1, pc};
    if (LO_UNLIKELY(!is_of(entry, lock)))
        entry = learn(thread, key, &taken);
    count_one(entry);
    push(thread, taken, entry->goes, address, lo_locks[lock].kind);
    lo_idle(thread);
}

/* Taken once more by the same thread: a recursive mutex, a reader. */
void lo_take_again(struct lo_thread *thread, uint32_t index)
{
    lo_busy(thread);
    struct lo_held_lock *held = &thread->area->held[index];
    struct lo_transition *entry = transition_on(thread, &thread->levels[index], index);
    held->count++;
    if (LO_LIKELY(entry != NULL))
        count_one(entry);
    else
        atomic_fetch_add_explicit(&lo_locks[held->lock].acquisitions, 1, memory_order_relaxed);
    lo_idle(thread);
}

/* What is below held[index] is another chain than it was. */
static void set_chain(struct lo_thread *thread, uint32_t index)
{
    const struct lo_held_lock *held = &thread->area->held[index];
    struct chain chain = extend(&thread->levels[index], held, comes_and_goes(held->lock));
    thread->levels[index + 1].hash = chain.hash;
    thread->levels[index + 1].place = chain.place;
}

/* The same, where it is still to be known as taken from *stack*. */
void lo_rechain(struct lo_thread *thread, uint32_t index, lo_id stack)
{
    const struct lo_held_lock *held = &thread->area->held[index];
    const struct lo_level *below = &thread->levels[index];
    uint64_t key = lo_key(below, thread->levels[index + 1].address, held->mode, held->how);
    set_chain(thread, index);
    lo_remember(thread, key, held->lock, stack);
}

static LO_COLD void close_gap(struct lo_thread *thread, uint32_t index)
{
    struct lo_held_lock *held = thread->area->held;
    for (uint32_t i = index; i < thread->depth; i++) {
        held[i] = held[i + 1];
        thread->levels[i + 1] = thread->levels[i + 2];
        set_chain(thread, i);
    }
}

static inline void remove_at(struct lo_thread *thread, uint32_t index)
{
    uint64_t since = thread->levels[index + 1].since;
    if (LO_UNLIKELY(since != 0))
        lo_lock_timed(&lo_locks[thread->area->held[index].lock].longest_hold_us, since);
    uint32_t depth = --thread->depth;
    if (LO_UNLIKELY(index < depth))
        close_gap(thread, index);
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
