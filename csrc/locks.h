/* Locks: which one an address is, what a thread holds of them, and what is said of both. */
#ifndef LOCKORDER_LOCKS_H
#define LOCKORDER_LOCKS_H

#include "shim.h"

#include <errno.h>
#include <string.h>
#include <threads.h>

/* ---- lock_table.c: which lock an address is; locks.c: what is known of it ---------------- */

struct lo_lock {
    uint16_t generation; /* stays at its highest value */
    uint16_t place;      /* a hash of the call that it was first seen in */
    uint8_t kind;
    uint8_t flags;
    _Atomic uint16_t state; /* LO_LOCK_* */
    lo_id creation_stack;
    uint32_t birth; /* how many locks were there before it */
    _Atomic uint32_t acquisitions;
    _Atomic uint32_t contended;
    _Atomic uint32_t wait_us;
    _Atomic uint32_t longest_wait_us;
    _Atomic uint32_t longest_hold_us;
    _Atomic uint32_t stat; /* where its stat record lies in the trace, in units of 8 bytes */
};

enum {
    LO_LOCK_RECORDED = 1,
    LO_LOCK_IN_ORDER = 2,
    LO_LOCK_SIGNAL = 4,
    LO_LOCK_HANDED_OVER = 8,
    LO_LOCK_COMES_AND_GOES = 16, /* many that were first seen in the same call have died */
    LO_LOCK_DEEP_SHIFT = 5
};

extern struct lo_lock *lo_locks; /* by id */

/* By id; odd or 0: its memory or its life has ended. Apart from all else that is known of a lock,
 * since each acquisition asks for it, with caches full of the program's own. */
extern _Atomic uintptr_t *lo_addresses;

static inline bool lo_lies_at(lo_id lock, uintptr_t address)
{
    return atomic_load_explicit(&lo_addresses[lock], memory_order_relaxed) == address;
}

/* Where a lock lies, 0 if it has ended. No lock lies at an odd address. */
static inline uintptr_t lo_alive_at(lo_id lock)
{
    uintptr_t address = atomic_load_explicit(&lo_addresses[lock], memory_order_relaxed);
    return address & 1 ? 0 : address;
}

/* A lock that its owner gives back itself, as far as POSIX goes: no semaphore, no GIL. */
static inline bool lo_is_plain(const struct lo_lock *lock)
{
    return lock->kind == LO_KIND_MUTEX || lock->kind == LO_KIND_RWLOCK ||
           lock->kind == LO_KIND_SPIN;
}

/* Nobody owns it: a semaphore that starts at another value than 1, or what a thread that did not
 * hold it has released. */
static inline bool lo_is_signal(lo_id lock)
{
    return (atomic_load(&lo_locks[lock].state) & LO_LOCK_SIGNAL) != 0;
}

void lo_locks_setup(void);
void lo_locks_after_fork(void);
uint32_t lo_locks_made(void);
lo_id lo_lock_add(uintptr_t address, uint8_t kind, uint8_t flags, uintptr_t pc);
lo_id lo_lock_known(uintptr_t address);  /* 0: never taken */
bool lo_locks_come_and_go(uintptr_t pc); /* that were first taken in this call */
void lo_lock_record(struct lo_thread *thread, lo_id lock, lo_id stack);
void lo_lock_learn(struct lo_thread *thread, lo_id lock, uint8_t flag);
void lo_lock_becomes_signal(struct lo_thread *thread, lo_id lock);
uint32_t lo_lock_timed(_Atomic uint32_t *longest, uint64_t since);
bool lo_lock_write_stat(struct lo_thread *thread, lo_id id);
void lo_locks_write_stats(struct lo_thread *thread);
lo_id lo_lock_born(uintptr_t address, uint8_t kind, uint8_t flags, uintptr_t pc);
void lo_lock_ends(uintptr_t address, enum lo_counter why);
void lo_locks_end_range(uintptr_t start, size_t size, enum lo_counter why);
uint32_t lo_lock_births(void);
void lo_locks_end_older(uintptr_t start, size_t size, enum lo_counter why, uint32_t births);
lo_id lo_lock_renew(lo_id lock, uint32_t births, uintptr_t pc);
void lo_stack_locks_end(struct lo_thread *thread, uintptr_t frame);
void lo_stack_locks_end_unused(struct lo_thread *thread, uintptr_t frame);

/* lock_filter.c: a bit for each line that has a lock now. A page's lines are a word, and the heap's
 * pages lie side by side. */
enum { LO_LINE = 64, LO_FILTER_WORDS = 1 << 16 };
extern _Atomic uint64_t *lo_filter; /* NULL: no locks are kept */
extern atomic_bool lo_small_locks;  /* some are smaller than any but a spin lock */

bool lo_filter_setup(void);
void lo_filter_add(uintptr_t address);
void lo_filter_remove(uintptr_t address);
bool lo_pages_may_have_locks(uintptr_t start, size_t size);

static inline _Atomic uint64_t *lo_filter_word(uintptr_t page)
{
    return &lo_filter[(page ^ page >> 16) % LO_FILTER_WORDS];
}

static inline uint64_t lo_page_lines(uintptr_t page)
{
    return atomic_load_explicit(lo_filter_word(page), memory_order_relaxed);
}

static inline bool lo_line_has_locks(uintptr_t line)
{
    return lo_page_lines(line / 64) >> line % 64 & 1;
}

/* Whether a block of memory may have a lock in it; nearly always it has none. */
static inline bool lo_block_may_have_locks(uintptr_t start, size_t size)
{
    uintptr_t first = start / LO_LINE, last = (start + size - 1) / LO_LINE;
    if (LO_UNLIKELY(size == 0))
        return false;
    if (LO_UNLIKELY(first / 64 != last / 64))
        return lo_pages_may_have_locks(start, size);
    uint64_t lines = UINT64_MAX << first % 64 & UINT64_MAX >> (63 - last % 64);
    return (lo_page_lines(first / 64) & lines) != 0;
}

/* Changes when a lock that lies here, or in one of a few lines far away, ends: what was known of
 * the locks of a line before may be of others by now. Apart from the locks' records, and all of it
 * two pages, since each acquisition asks. */
enum { LO_STAMPS = 1 << 12 };
extern _Atomic uint16_t lo_stamps[LO_STAMPS];

static inline _Atomic uint16_t *lo_stamp_of(uintptr_t address)
{
    uintptr_t line = address / LO_LINE;
    return &lo_stamps[(line ^ line >> 12) % LO_STAMPS];
}

static inline uint16_t lo_stamp(uintptr_t address)
{
    return atomic_load_explicit(lo_stamp_of(address), memory_order_relaxed);
}

/* ---- held.c: what a thread holds -------------------------------------------------------- */

/* How a lock is taken; with what its own kind and flags are, if it is new. */
struct lo_manner {
    uint8_t kind, flags, mode, how;
};

void lo_take(struct lo_thread *thread, uint64_t key, uintptr_t address, struct lo_manner manner,
             uintptr_t pc);
void lo_take_passed(struct lo_thread *thread, uintptr_t address, struct lo_manner manner,
                    uintptr_t pc);
void lo_take_again(struct lo_thread *thread, uint32_t index);
void lo_push(struct lo_thread *thread, lo_id lock, uint8_t mode, uint8_t how, uintptr_t pc);
bool lo_pop(struct lo_thread *thread, lo_id lock); /* false: it does not hold it */
void lo_remove(struct lo_thread *thread, uint32_t index);
int lo_find_held(const struct lo_thread *thread, lo_id lock); /* -1: not held */
void lo_pass(struct lo_thread *thread, uintptr_t address, uint8_t kind, uintptr_t pc);
lo_id lo_intend(struct lo_thread *thread, lo_id lock, uint8_t mode, uint8_t how, uintptr_t pc);
lo_id lo_stack_of(struct lo_thread *thread, uint32_t index); /* of held[index]; 0: not kept */
lo_id lo_stack_on(struct lo_thread *thread, const struct lo_level *below, uint32_t index);
void lo_rechain(struct lo_thread *thread, uint32_t index, lo_id stack);
void lo_remember(struct lo_thread *thread, uint64_t key, lo_id lock, lo_id stack);
void lo_locks_flush(struct lo_thread *thread);

#define LO_MIX 0x9e3779b97f4a7c15u

static inline uint64_t lo_mix(uint64_t hash, uint64_t what)
{
    hash = (hash ^ what) * LO_MIX;
    return hash ^ hash >> 31;
}

static inline uint64_t lo_key(const struct lo_level *below, uintptr_t address, uint8_t mode,
                              uint8_t how)
{
    return lo_mix(below->hash, (uint64_t)address << 4 | (uint64_t)mode << 2 | how);
}

static inline struct lo_transition *lo_row(struct lo_thread *thread, uint64_t key)
{
    return thread->transitions[(key >> 20) % LO_ROWS];
}

/* A look into the table that was prepared: on top of the chain of that hash. */
struct lo_expected {
    uint64_t hash, key;
};

/* A lock is about to be taken: what that will look at in the table is fetched while the call
 * fetches the lock itself. Where the GIL went before the last one, it will again. */
static inline struct lo_expected lo_expect(struct lo_thread *thread, uintptr_t address,
                                           struct lo_manner manner)
{
    const struct lo_level *below = &thread->levels[thread->depth];
    below += below[1].kind == LO_KIND_GIL;
    struct lo_expected expected = {below->hash, lo_key(below, address, manner.mode, manner.how)};
    __builtin_prefetch(lo_row(thread, expected.key));
    return expected;
}

/* The hash of the chain that is held. */
static inline uint64_t lo_chain_hash(const struct lo_thread *thread)
{
    return thread->levels[thread->depth].hash;
}

/* The same by address: what is held of a lock that has ended is not found, also where another lies
 * in its place. */
static inline int lo_find_held_at(const struct lo_thread *thread, uintptr_t address)
{
    for (uint32_t i = thread->depth; i > 0; i--)
        if (thread->levels[i].address == address &&
            lo_lies_at(thread->area->held[i - 1].lock, address))
            return (int)i - 1;
    return -1;
}

/* ---- inner.c: code of libraries whose own locks are nobody else's business ---------------- */

enum { LO_INNER_MOST = 255, LO_INNER_GRAINS = 1 << 18, LO_INNER_GRAIN_SHIFT = 16 };

struct lo_inner_range {
    uintptr_t start, size;
};

/* By a piece of 64 KiB of the addresses: which range may have it, from 1; 0: none. */
extern uint8_t lo_inner_grains[LO_INNER_GRAINS];
extern struct lo_inner_range lo_inner_ranges[LO_INNER_MOST + 1];

static inline bool lo_is_inner(uintptr_t pc)
{
    uint8_t which = lo_inner_grains[pc >> LO_INNER_GRAIN_SHIFT & (LO_INNER_GRAINS - 1)];
    return LO_UNLIKELY(which != 0) &&
           pc - lo_inner_ranges[which].start < lo_inner_ranges[which].size;
}

/* What glibc keeps in a mutex of its attributes (nptl/pthreadP.h). */
static inline uint8_t lo_mutex_flags(const pthread_mutex_t *mutex)
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

/* ---- passing.c: locks that tell nothing yet ---------------------------------------------- */

enum lo_way { LO_WAY_TOLD, LO_WAY_LEAF, LO_WAY_INNER, LO_WAY_GOES };

enum { LO_NESTED_TIMES = 4 };

/* Code of others has locked under a lock of such a library. */
extern atomic_bool lo_inner_is_crossed;

static inline void lo_inner_crossed(void)
{
    if (!atomic_load_explicit(&lo_inner_is_crossed, memory_order_relaxed))
        atomic_store_explicit(&lo_inner_is_crossed, true, memory_order_relaxed);
}

enum lo_way lo_inner_way(struct lo_thread *thread, uintptr_t address, struct lo_manner manner,
                         uintptr_t pc);
void lo_leaf_learn(struct lo_thread *thread, uint64_t key, uintptr_t address);
struct lo_leaf *lo_leaf_learn_call(struct lo_thread *thread, uintptr_t pc, uint64_t above);
void lo_leaf_learn_passed(struct lo_thread *thread, uintptr_t address);
void lo_leaves_flush(struct lo_thread *thread);
bool lo_passing_within(const struct lo_thread *thread, uintptr_t start, size_t size);
bool lo_passed_below(struct lo_thread *thread, uintptr_t address);
lo_id lo_passing_number(const struct lo_held_lock *held);

/* What is written of one, in one piece: see struct lo_passing_lock. */
static inline uint64_t lo_passing_word(uintptr_t address, struct lo_manner manner, enum lo_way way)
{
    uint64_t how = manner.mode | (uint64_t)(manner.how << 4 | manner.kind) << 8;
    if (way == LO_WAY_INNER)
        how |= LO_PASSES_INNER << 8;
    if (way == LO_WAY_LEAF)
        how |= LO_PASSES_LEAF << 8;
    return (address & UINT32_MAX) | how << 32 | (uint64_t)address << 16 >> 48 << 48;
}

static inline uintptr_t lo_passing_address(const struct lo_held_lock *held)
{
    return held->lock | (uintptr_t)held->count << 32;
}

/* What a lock that is taken now is on top of: by places, where something in it comes and goes. */
static inline uint64_t lo_chain_below(const struct lo_thread *thread)
{
    const struct lo_level *below = &thread->levels[thread->depth];
    return LO_UNLIKELY(below->place != 0) ? below->place : below->hash;
}

/* The same with those that pass, unless they are a library's. */
static inline uint64_t lo_chain_now(const struct lo_thread *thread)
{
    uint32_t passing = thread->passing;
    return passing == 0 ? lo_chain_below(thread) : thread->above[passing - 1];
}

/* The key of a leaf: of a reader-writer lock those who read have another. */
static inline uint64_t lo_leaf_key(uint64_t chain, uintptr_t address, uint8_t mode)
{
    return lo_mix(chain, address | (mode == LO_SHARED ? 2 : 0));
}

/* What stands for all locks that come and go and are taken in this call; no lock lies there. */
static inline uint64_t lo_leaf_of_call(uint64_t chain, uintptr_t pc)
{
    return lo_mix(chain, pc << 1 | 1);
}

static inline struct lo_leaf *lo_leaves_at(struct lo_thread *thread, uint64_t key)
{
    return thread->leaves[key % LO_LEAVES];
}

static inline struct lo_leaf *lo_find_leaf(struct lo_thread *thread, uint64_t key)
{
    struct lo_leaf *leaves = lo_leaves_at(thread, key);
    return LO_LIKELY(leaves[0].key == key) ? &leaves[0] : leaves[1].key == key ? &leaves[1] : NULL;
}

/* The same of a lock at *address*; NULL, too, where it may be another one by now. */
static inline struct lo_leaf *lo_known_leaf(struct lo_thread *thread, uint64_t key,
                                            uintptr_t address)
{
    struct lo_leaf *leaf = lo_find_leaf(thread, key);
    return LO_LIKELY(leaf != NULL && leaf->stamp == lo_stamp(address)) ? leaf : NULL;
}

/* Whether the *depth* locks below are all of *kinds*, of which each is a bit. */
static inline bool lo_holds_only(const struct lo_thread *thread, uint32_t depth, uint32_t kinds)
{
    for (uint32_t i = depth; i > 0; i--)
        if ((kinds >> thread->levels[i].kind & 1) == 0)
            return false;
    return true;
}

static inline bool lo_has_gil_perhaps(void)
{
    return atomic_load_explicit(&lo_python_loaded, memory_order_relaxed) && lo_gil_held();
}

/* The last lock that the thread has is one that passes, and a library's own affair. */
static inline bool lo_is_inside(const struct lo_thread *thread)
{
    uint32_t passing = thread->passing;
    return passing != 0 &&
           (thread->area->held[thread->depth + passing - 1].how & LO_PASSES_INNER) != 0;
}

/* Up to Python 3.12 each of its threads holds one of its locks all its life. */
static inline bool lo_has_nothing_but_gil(const struct lo_thread *thread)
{
    return lo_holds_only(thread, thread->depth, 1u << LO_KIND_PYTHON_LOCK) && lo_has_gil_perhaps();
}

/* How what is about to be taken may pass. */
struct lo_wish {
    enum lo_way way; /* LO_WAY_TOLD, LO_WAY_INNER, LO_WAY_LEAF: if it is known as one */
    uint64_t chain, key;
};

/* How what is about to be taken may pass: as an affair of a library's own; or as a *leaf*, a lock
 * that this thread has had before on top of all that it holds now; or as one of those that come and
 * go, if nothing about such in this call is news. LO_WAY_TOLD: it cannot. What lo_pass_of() will
 * look at is fetched while the call fetches the lock itself: a program comes here with its caches
 * full of other things. */
static LO_ALWAYS_INLINE struct lo_wish lo_wish_of(struct lo_thread *thread, uintptr_t address,
                                                  struct lo_manner manner, uintptr_t pc)
{
    struct lo_wish wish = {LO_WAY_TOLD, 0, 0};
    if (LO_UNLIKELY(thread->busy != 0 ||
                    lo_stack_pointer() >
                        atomic_load_explicit(&thread->lowest_stack_lock, memory_order_relaxed)))
        return wish;
    uint32_t passing = thread->passing;
    bool room = thread->depth + LO_MAX_PASSING <= LO_MAX_HELD;
    if (lo_is_inner(pc)) {
        if (passing < LO_MAX_PASSING && room) {
            wish.way = LO_WAY_INNER;
            if (LO_LIKELY(thread->inner_rests != 0)) {
                thread->inner_rests--;
                return wish;
            }
            if (lo_is_inside(thread) &&
                !(manner.kind == LO_KIND_RWLOCK && manner.mode == LO_EXCLUSIVE))
                return wish;
        }
        wish.way = lo_inner_way(thread, address, manner, pc);
        return wish;
    }
    if (manner.how != LO_BLOCKING || passing == LO_MAX_PASSING || !room)
        return wish;
    if (LO_UNLIKELY(lo_is_inside(thread)))
        return lo_inner_crossed(), wish;
    wish.way = LO_WAY_LEAF;
    wish.chain = lo_chain_now(thread);
    wish.key = lo_leaf_key(wish.chain, address, manner.mode);
    __builtin_prefetch(lo_leaves_at(thread, wish.key));
    __builtin_prefetch((const void *)lo_stamp_of(address));
    return wish;
}

struct lo_pass {
    enum lo_way way;
    struct lo_leaf *leaf; /* NULL: a library's */
};

/* How it passes: it is taken by now. */
static LO_ALWAYS_INLINE struct lo_pass lo_pass_of(struct lo_thread *thread, struct lo_wish wish,
                                                  uintptr_t address, struct lo_manner manner,
                                                  uintptr_t pc)
{
    const struct lo_pass told = {LO_WAY_TOLD, NULL};
    struct lo_pass pass = {wish.way, NULL};
    if (wish.way == LO_WAY_INNER)
        return pass;
    pass.leaf = lo_known_leaf(thread, wish.key, address);
    if (pass.leaf == NULL) {
        uint64_t key = lo_leaf_of_call(wish.chain, pc);
        pass = (struct lo_pass){LO_WAY_GOES, lo_find_leaf(thread, key)};
        if (pass.leaf == NULL || manner.kind != LO_KIND_MUTEX ||
            lo_mutex_flags((const pthread_mutex_t *)address) != 0)
            return told;
    }
    if (pass.leaf->rests == 0 || pass.leaf->nested != 0 ||
        (thread->passing == 0 && lo_has_nothing_but_gil(thread)))
        return told;
    return pass;
}

/* It is taken. */
static LO_ALWAYS_INLINE void lo_passes(struct lo_thread *thread, uintptr_t address,
                                       struct lo_manner manner, uintptr_t pc, struct lo_pass pass)
{
    lo_busy(thread);
    uint32_t passing = thread->passing;
    struct lo_thread_area *area = thread->area;
    struct lo_held_lock *held = &area->held[thread->depth + passing];
    uint64_t word = lo_passing_word(address, manner, pass.way);
    memcpy((void *)held, &word, sizeof word);
    held->pc = pc;
    area->operations = ++thread->ticks;
    if (pass.leaf == NULL) {
        thread->inner_passed++;
    } else {
        pass.leaf->rests--;
        thread->above[passing] = pass.leaf->above;
        thread->passed += pass.way == LO_WAY_GOES;
    }
    thread->passing = passing + 1;
    /* Whoever reads the file of a process that was killed sees no entry before it is there. */
    atomic_signal_fence(memory_order_seq_cst);
    area->passing = passing + 1;
    lo_idle(thread);
}

/* The lock at *address* is given back, if it is one of those. */
static LO_ALWAYS_INLINE bool lo_passed(struct lo_thread *thread, uintptr_t address)
{
    uint32_t passing = thread->passing;
    if (passing == 0)
        return false;
    if (LO_UNLIKELY(lo_passing_address(&thread->area->held[thread->depth + passing - 1]) !=
                    address))
        return lo_passed_below(thread, address);
    thread->passing = thread->area->passing = passing - 1;
    return true;
}

/* ---- frames.c: locks in stack frames ----------------------------------------------------- */

void lo_frames_seen(struct lo_thread *thread, const struct lo_frames *frames);
bool lo_is_in_use(const struct lo_thread *thread, lo_id lock, uintptr_t address);

/* ---- places.c: how often something was recorded from where ------------------------------- */

struct lo_place {
    _Atomic uint64_t key;
    _Atomic uint32_t count;
};

bool lo_places_setup(void);
void lo_places_after_fork(void);
struct lo_place *lo_find_place(uint64_t key); /* NULL: no room */
uint64_t lo_place_key(uint64_t a, uint64_t b);
uint32_t lo_place_allowance(void); /* how many records one may have */
void lo_note_recorded(struct lo_place *place);

/* The trace has so many records that what locks that come and go do is told by the place. */
extern atomic_bool lo_folding;

/* ---- order.c: orders between locks; calls.c: calls made under locks, misuse --------------- */

void lo_order_setup(void);
void lo_order_after_fork(void);
lo_id lo_new_chain(struct lo_thread *thread, struct lo_held_lock *taken, uint64_t place);

void lo_drop_stale(struct lo_thread *thread);
bool lo_is_owner(const struct lo_thread *thread, int owner);
bool lo_still_holds(const struct lo_thread *thread, const struct lo_held_lock *held);
void lo_misuse(struct lo_thread *thread, enum lo_misuse kind, lo_id lock, uintptr_t pc,
               lo_id holder);

struct lo_call {
    struct lo_thread *thread; /* NULL: not recorded */
    struct lo_blocked_record *record;
    uint64_t start;
};

void lo_call_begin(struct lo_call *call, enum lo_hook hook, uintptr_t object, uintptr_t pc,
                   lo_id own);
void lo_call_end(struct lo_call *call);

/* ---- python_hooks.c: the GIL among what is held ------------------------------------------ */

lo_id lo_gil_lock(void);
void lo_forget_gil(struct lo_thread *thread); /* it is given up */

/* In a Python process the GIL is held by whoever runs extension code, which no call shows: asked
 * of whoever holds nothing, or locks of Python code only. Up to 3.12 each thread holds one of those
 * all its life, which others join it by; and whoever has one gives the GIL up and asks for it
 * again all the time, so it is in its place behind that. True: noted now. */
static inline bool lo_note_gil(struct lo_thread *thread, uintptr_t pc)
{
    if (LO_LIKELY(!atomic_load_explicit(&lo_python_loaded, memory_order_relaxed)) ||
        !lo_holds_only(thread, thread->depth, 1u << LO_KIND_PYTHON_LOCK) || !lo_gil_held())
        return false;
    lo_push(thread, lo_gil_lock(), LO_EXCLUSIVE, LO_BLOCKING, pc);
    return true;
}

/* The entry for the GIL goes with the last lock above it: nobody says when it is given up. */
static inline void lo_drop_gil(struct lo_thread *thread)
{
    uint32_t top = thread->depth - 1;
    if (LO_UNLIKELY(atomic_load_explicit(&lo_python_loaded, memory_order_relaxed)) &&
        thread->depth > 0 && thread->levels[top + 1].kind == LO_KIND_GIL &&
        lo_holds_only(thread, top, 1u << LO_KIND_PYTHON_LOCK))
        lo_remove(thread, top);
}

/* ---- pthread_hooks.c, cond_hooks.c -------------------------------------------------------- */

/* What C11's functions return for an error number of pthread's (nptl/thrd_priv.h). */
static inline int lo_c11_status(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

#endif
