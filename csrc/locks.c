/* Which lock an address is: (address, generation).
 *
 * Records are found by an open-addressing table of their numbers, without a lock: a slot is
 * claimed by compare-and-swap and never given back, only taken over when its record has died.
 * A lock dies when it is destroyed or initialised again, when the memory around it is freed or
 * unmapped, when the stack frame it lay in has returned: a std::mutex says nothing of its end.
 *
 * Deaths must be found without a walk over all locks on each free(3): a filter of pages that
 * ever had a lock answers nearly always, and probing the addresses of one block does the rest.
 */
#include "shim.h"

#include <errno.h>
#include <string.h>

enum {
    MAX_LOCKS = 1 << 20,
    TABLE = 1 << 21,
    MAX_PROBES = 128,
    PAGE_BITS = 1 << 18, /* pages that ever had a lock: 32 KiB of filter */
    LINES = 1 << 22, /* cache lines, by how many they have now: 4 MiB, touched where locks are */
    LINE = 64,
    MANY = UINT8_MAX, /* of those that share a count: it is not known any more */
    CLAIMED = 1,      /* an address that is none */
};

/* Ranges beyond this are looked for by walking all records instead of all pages. */
static const size_t max_walked = (size_t)1 << 30;

struct lo_lock *lo_locks;

static _Atomic uint32_t *table;
static _Atomic uint64_t *page_filter;
static _Atomic uint8_t *line_counts;
static _Atomic uint32_t next_lock;
static _Atomic uint32_t births;
static _Atomic uint32_t stack_locks; /* locks that were ever seen on a stack */

void lo_locks_setup(void)
{
    if (table != NULL)
        return;
    lo_locks = lo_map(((size_t)MAX_LOCKS + 1) * sizeof *lo_locks);
    page_filter = lo_map(PAGE_BITS / 8);
    line_counts = lo_map(LINES);
    table = lo_map(TABLE * sizeof *table);
    if (lo_locks == NULL || page_filter == NULL || line_counts == NULL)
        table = NULL;
}

/* The child has a trace of its own, in which nothing is recorded yet; numbers go on. */
void lo_locks_after_fork(void)
{
    uint32_t count = atomic_load(&next_lock);
    for (uint32_t id = 1; id <= count && id <= MAX_LOCKS; id++) {
        struct lo_lock *lock = &lo_locks[id];
        uint16_t keep = LO_LOCK_SIGNAL;
        atomic_fetch_and(&lock->state, keep);
        lock->creation_stack = 0;
        atomic_store(&lock->acquisitions, 0);
        atomic_store(&lock->contended, 0);
    }
}

static inline uint64_t slot_of(uintptr_t address)
{
    uint64_t hash = (uint64_t)(address >> 3) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static inline uint64_t page_bit(uintptr_t page)
{
    uint64_t hash = (uint64_t)page * 0x9e3779b97f4a7c15u;
    return (hash >> 40) % PAGE_BITS;
}

/* Neighbouring lines have neighbouring counts. Lines far apart share one: were it a bit, the end
 * of the locks in one line would hide those in the other. */
static inline _Atomic uint8_t *line_count(uintptr_t line)
{
    return &line_counts[(line ^ line >> 22) % LINES];
}

static void count_in_line(uintptr_t address, int by)
{
    _Atomic uint8_t *count = line_count(address / LINE);
    uint8_t now = atomic_load_explicit(count, memory_order_relaxed);
    while (now != MANY && !(now == 0 && by < 0) &&
           !atomic_compare_exchange_weak(count, &now, (uint8_t)(now + by)))
        ;
}

static inline bool get_bit(_Atomic uint64_t *filter, uint64_t bit)
{
    return atomic_load_explicit(&filter[bit / 64], memory_order_relaxed) >> bit % 64 & 1;
}

static void mark(uintptr_t address)
{
    uint64_t page = page_bit(address / LO_PAGE);
    if (!get_bit(page_filter, page))
        atomic_fetch_or(&page_filter[page / 64], (uint64_t)1 << page % 64);
    count_in_line(address, 1);
}

static inline bool page_has_locks(uintptr_t page)
{
    return get_bit(page_filter, page_bit(page));
}

bool lo_pages_may_have_locks(uintptr_t start, size_t size)
{
    if (table == NULL || size == 0)
        return false;
    uintptr_t line = start / LINE, last = (start + size - 1) / LINE;
    if (last - line > 8 * LO_PAGE / LINE) { /* a long block: by pages */
        for (uintptr_t page = start / LO_PAGE; page <= (start + size - 1) / LO_PAGE; page++)
            if (page_has_locks(page))
                return true;
        return false;
    }
    for (; line <= last; line++)
        if (atomic_load_explicit(line_count(line), memory_order_relaxed) != 0)
            return true;
    return false;
}

/* The live lock at *address*, and where one would go: a free slot, or a dead record's. */
static lo_id look_up(uintptr_t address, _Atomic uint32_t **place, uint32_t *there)
{
    uint64_t hash = slot_of(address);
    *place = NULL;
    for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
        _Atomic uint32_t *slot = &table[(hash + probe) % TABLE];
        uint32_t id = atomic_load_explicit(slot, memory_order_acquire);
        uintptr_t owner =
            id == 0 ? 0 : atomic_load_explicit(&lo_locks[id].address, memory_order_relaxed);
        if (owner == address)
            return id;
        bool dead = owner == 0 || ((owner & 1) && owner != CLAIMED);
        if (dead && *place == NULL) {
            *place = slot;
            *there = id;
        }
        if (id == 0)
            break;
    }
    return 0;
}

lo_id lo_lock_known(uintptr_t address)
{
    _Atomic uint32_t *place;
    uint32_t there;
    return table == NULL ? 0 : look_up(address, &place, &there);
}

/* Another record of the same address: two threads that meet a lock for the first time at once may
 * have chosen different places for it. Whoever is later sees the other one. */
static lo_id twin(uintptr_t address, lo_id mine)
{
    uint64_t hash = slot_of(address);
    for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
        lo_id id = atomic_load(&table[(hash + probe) % TABLE]);
        if (id == 0)
            break;
        if (id != mine && atomic_load(&lo_locks[id].address) == address)
            return id;
    }
    return 0;
}

static lo_id add(uintptr_t address, uint8_t kind, uint8_t flags)
{
    for (int attempt = 0; attempt < 8; attempt++) {
        _Atomic uint32_t *place;
        uint32_t there = 0;
        lo_id known = look_up(address, &place, &there);
        if (known != 0)
            return known;
        if (place == NULL)
            break;
        uint32_t generation = 1;
        lo_id id = there;
        uintptr_t former = id == 0 ? 0 : atomic_load(&lo_locks[id].address);
        if (former == (address | 1)) /* a slot can also be that of another address */
            generation = lo_locks[id].generation + 1;
        bool reused = id != 0 && (former == 0 || (former & 1)) &&
                      !(atomic_load(&lo_locks[id].state) & (LO_LOCK_RECORDED | LO_LOCK_IN_ORDER));
        if (reused) {
            /* Nothing was ever said of the dead lock: its number is as good as new. */
            if (!atomic_compare_exchange_strong(&lo_locks[id].address, &former, CLAIMED))
                continue;
        } else {
            id = atomic_fetch_add(&next_lock, 1) + 1;
            if (id > MAX_LOCKS) {
                atomic_fetch_sub(&next_lock, 1);
                break;
            }
        }
        struct lo_lock *lock = &lo_locks[id];
        lock->generation = generation;
        lock->birth = atomic_fetch_add_explicit(&births, 1, memory_order_relaxed);
        lock->kind = kind;
        lock->flags = flags;
        lock->creation_stack = 0;
        atomic_store(&lock->state, 0);
        atomic_store(&lock->acquisitions, 0);
        atomic_store(&lock->contended, 0);
        atomic_store(&lock->wait_us, 0);
        atomic_store(&lock->longest_wait_us, 0);
        atomic_store(&lock->longest_hold_us, 0);
        atomic_store(&lock->address, address);
        if (reused || atomic_compare_exchange_strong(place, &there, id)) {
            if (twin(address, id) != 0) {
                atomic_store(&lock->address, 0);
                continue;
            }
            mark(address);
            lo_count(LO_LOCKS_SEEN, 1);
            struct lo_thread *owner = lo_thread_with_stack(address);
            if (owner != NULL) {
                lock->flags |= LO_ON_STACK;
                atomic_fetch_add(&stack_locks, 1);
                if (address < atomic_load(&owner->lowest_stack_lock))
                    atomic_store(&owner->lowest_stack_lock, address);
            }
            return id;
        }
        /* Another thread was quicker at this slot; the number is lost. */
        atomic_store(&lock->address, 0);
    }
    lo_count(LO_LOCKS_DROPPED, 1);
    return 0;
}

/* What a thread counted for itself becomes visible when its cache entry is given up. */
static void flush(struct lo_cached_lock *cached)
{
    if (cached->lock != 0 && cached->count != 0)
        atomic_fetch_add_explicit(&lo_locks[cached->lock].acquisitions, cached->count,
                                  memory_order_relaxed);
    cached->count = 0;
}

void lo_locks_flush(struct lo_thread *thread)
{
    for (uint32_t i = 0; i < LO_ID_CACHE; i++)
        flush(&thread->locks[i]);
}

LO_COLD lo_id lo_lock_find_slow(struct lo_thread *thread, uintptr_t address, uint8_t kind,
                                uint8_t flags)
{
    if (table == NULL)
        return 0;
    lo_id id = add(address, kind, flags);
    if (id == 0)
        return 0;
    struct lo_cached_lock *cached = lo_cached(thread, address);
    flush(cached);
    *cached = (struct lo_cached_lock){address, id, 1};
    return id;
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
        .address = atomic_load(&lock->address) & ~(uintptr_t)1,
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

void lo_locks_write_stats(struct lo_thread *thread)
{
    uint32_t count = table == NULL ? 0 : atomic_load(&next_lock);
    for (uint32_t id = 1; id <= count && id <= MAX_LOCKS; id++) {
        struct lo_lock *lock = &lo_locks[id];
        uint32_t acquisitions = atomic_load(&lock->acquisitions);
        uint32_t contended = atomic_load(&lock->contended);
        uint16_t state = atomic_load(&lock->state);
        if (!(state & LO_LOCK_RECORDED) && acquisitions < 1000 && contended == 0)
            continue;
        lo_lock_record(thread, id, 0);
        struct lo_stat_record *record = lo_trace_reserve(thread, sizeof *record);
        if (record == NULL)
            return;
        *record = (struct lo_stat_record){
            .record = {LO_STAT, sizeof *record, id},
            .acquisitions = acquisitions,
            .contended = contended,
            .wait_ns = (uint64_t)atomic_load(&lock->wait_us) * 1000,
            .longest_wait_ns = (uint64_t)atomic_load(&lock->longest_wait_us) * 1000,
            .longest_hold_ns = (uint64_t)atomic_load(&lock->longest_hold_us) * 1000,
            .deepest = state >> LO_LOCK_DEEP_SHIFT,
        };
        lo_trace_commit(thread, sizeof *record);
    }
}

/* ---- births and deaths ------------------------------------------------------------------- */

/* How many locks there have been: a moment, as far as locks can tell. */
uint32_t lo_lock_births(void)
{
    return atomic_load(&births);
}

static void end_older(uintptr_t address, enum lo_counter why, uint32_t than)
{
    lo_id id = lo_lock_known(address);
    if (id == 0 || (int32_t)(lo_locks[id].birth - than) >= 0)
        return;
    uintptr_t alive = address;
    if (atomic_compare_exchange_strong(&lo_locks[id].address, &alive, address | 1)) {
        count_in_line(address, -1);
        lo_count(why, 1);
    }
}

void lo_lock_ends(uintptr_t address, enum lo_counter why)
{
    end_older(address, why, lo_lock_births());
}

/* Initialised: whatever lay here before is another lock. Its number, 0 where nothing is recorded.
 */
lo_id lo_lock_born(uintptr_t address, uint8_t kind, uint8_t flags)
{
    struct lo_thread *thread = lo_enter();
    if (thread == NULL || table == NULL)
        return 0;
    int saved_errno = errno;
    lo_busy(thread);
    lo_lock_ends(address, LO_DEATHS_BY_DESTROY);
    lo_id id = add(address, kind, flags);
    if (id != 0 && lo_may_unwind_freely())
        lo_locks[id].creation_stack = lo_stack_here(thread);
    lo_idle(thread);
    errno = saved_errno;
    return id;
}

static void end_in_line(uintptr_t line, uintptr_t low, uintptr_t high, enum lo_counter why,
                        uint32_t than)
{
    uintptr_t first = line * LINE, last = (line + 1) * LINE;
    for (uintptr_t address = low > first ? low : first; address < high && address < last;
         address += 4)
        end_older(address, why, than);
}

/* Ends the locks in a range that were there when there had been *than* of them: what was born
 * later lies in other memory that has come to the same place. */
void lo_locks_end_older(uintptr_t start, size_t size, enum lo_counter why, uint32_t than)
{
    if (table == NULL || size == 0)
        return;
    if (size > max_walked) {
        uint32_t count = atomic_load(&next_lock);
        for (uint32_t id = 1; id <= count && id <= MAX_LOCKS; id++) {
            uintptr_t address = lo_alive_at(&lo_locks[id]);
            if (address - start < size && address != 0)
                end_older(address, why, than);
        }
        return;
    }
    uintptr_t end = start + size;
    for (uintptr_t page = start / LO_PAGE; page <= (end - 1) / LO_PAGE; page++) {
        if (!page_has_locks(page))
            continue;
        uintptr_t low = page * LO_PAGE < start ? start : page * LO_PAGE;
        uintptr_t high = (page + 1) * LO_PAGE > end ? end : (page + 1) * LO_PAGE;
        for (uintptr_t line = low / LINE; line <= (high - 1) / LINE; line++)
            if (atomic_load_explicit(line_count(line), memory_order_relaxed) != 0)
                end_in_line(line, low, high, why, than);
    }
}

void lo_locks_end_range(uintptr_t start, size_t size, enum lo_counter why)
{
    lo_locks_end_older(start, size, why, lo_lock_births());
}

/* Every frame below *frame* has returned, and the locks in them with it. */
LO_COLD void lo_stack_locks_end(struct lo_thread *thread, uintptr_t frame)
{
    uintptr_t start = thread->lowest_stack_lock;
    if (frame > thread->stack_high) /* on another stack: nothing has returned here */
        return;
    thread->lowest_stack_lock = UINTPTR_MAX;
    if (start < frame && start >= thread->stack_low)
        lo_locks_end_range(start, frame - start, LO_DEATHS_BY_STACK);
    if (atomic_load_explicit(&stack_locks, memory_order_relaxed) == 0)
        return;
    /* Locks in frames that are still there: the next lowest one. */
    for (uintptr_t page = frame / LO_PAGE; page <= thread->stack_high / LO_PAGE; page++) {
        if (!page_has_locks(page))
            continue;
        for (uintptr_t address = page * LO_PAGE; address < (page + 1) * LO_PAGE; address += 8)
            if (address >= frame && lo_lock_known(address) != 0) {
                thread->lowest_stack_lock = address;
                return;
            }
    }
}
