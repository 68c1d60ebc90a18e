/* Which lock an address is: (address, generation).
 *
 * Records are found by an open-addressing table of their numbers, without a lock: a slot is
 * claimed by compare-and-swap and never given back, only taken over when its record has died.
 * The locks of a page lie near each other in the table.
 *
 * A lock dies when it is destroyed or initialised again, when the memory around it is freed or
 * unmapped, when the stack frame it lay in has returned: a std::mutex says nothing of its end.
 * Deaths must be found without a walk over all locks on each free(3): lock_filter.c says for nearly
 * all memory that there is none, and one walk along the table does the rest.
 */
#include "locks.h"

enum {
    MAX_LOCKS = 1 << 20,
    TABLE = 1 << 21,
    MAX_PROBES = 1024, /* long rows are where arrays of locks lie */
    PLACES = 1 << 16,
    MANY = 16,   /* so many deaths show that the locks of a place come and go */
    CLAIMED = 1, /* an address that is none */
};

struct lo_lock *lo_locks;
_Atomic uintptr_t *lo_addresses;

static _Atomic uint32_t *table;
static atomic_uchar *deaths; /* of locks by the call that they were first seen in */
static _Atomic uint32_t next_lock, births;
static _Atomic uint32_t stack_locks; /* locks that were ever seen on a stack */

void lo_locks_setup(void)
{
    if (table != NULL)
        return;
    lo_locks = lo_map(((size_t)MAX_LOCKS + 1) * sizeof *lo_locks);
    lo_addresses = lo_map(((size_t)MAX_LOCKS + 1) * sizeof *lo_addresses);
    deaths = lo_map(PLACES);
    table = lo_map(TABLE * sizeof *table);
    if (table == NULL || lo_locks == NULL || lo_addresses == NULL || deaths == NULL ||
        !lo_filter_setup())
        table = NULL;
}

/* Numbers go from 1 to this. */
uint32_t lo_locks_made(void)
{
    uint32_t count = table == NULL ? 0 : atomic_load(&next_lock);
    return count < MAX_LOCKS ? count : MAX_LOCKS;
}

/* The lines of a page have neighbouring slots: what a program uses together lies together. */
static inline uint64_t slot_of(uintptr_t line)
{
    uint64_t hash = (uint64_t)(line / 64) * 0x9e3779b97f4a7c15u;
    return (hash ^ hash >> 29) * 64 + line % 64;
}

/* The live lock at *address*, and where one would go: a free slot, or a dead record's. */
static lo_id look_up(uintptr_t address, _Atomic uint32_t **place, uint32_t *there)
{
    uint64_t slot_at = slot_of(address / LO_LINE);
    *place = NULL;
    for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
        _Atomic uint32_t *slot = &table[(slot_at + probe) % TABLE];
        uint32_t id = atomic_load_explicit(slot, memory_order_acquire);
        uintptr_t owner = atomic_load_explicit(&lo_addresses[id], memory_order_relaxed);
        if (owner == address)
            return id;
        bool dead = owner == 0 || ((owner & 1) && owner != CLAIMED);
        if (dead && (*place == NULL || owner == (address | 1))) {
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
static bool has_twin(uintptr_t address, lo_id mine)
{
    uint64_t slot = slot_of(address / LO_LINE);
    for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
        lo_id id = atomic_load(&table[(slot + probe) % TABLE]);
        if (id == 0)
            break;
        if (id != mine && atomic_load(&lo_addresses[id]) == address)
            return true;
    }
    return false;
}

/* Nobody sees the record before its address is set. */
#define SET(field, value) atomic_store_explicit(&(field), value, memory_order_relaxed)

static inline uint16_t place_of(uintptr_t pc)
{
    return (uint16_t)(pc * 0x9e3779b97f4a7c15u >> 48);
}

bool lo_locks_come_and_go(uintptr_t pc)
{
    return atomic_load_explicit(&deaths[place_of(pc)], memory_order_relaxed) >= MANY;
}

static inline uint16_t next_generation(uint16_t generation)
{
    return generation == UINT16_MAX ? generation : generation + 1;
}

/* From now on the smallest blocks of memory may have locks in them. */
static void note_small(uintptr_t address)
{
    if (!atomic_load_explicit(&lo_small_locks, memory_order_relaxed) && !lo_in_object(address))
        atomic_store(&lo_small_locks, true);
}

/* The number of the lock at *address*, a new one if there is none; 0: there is no room. */
lo_id lo_lock_add(uintptr_t address, uint8_t kind, uint8_t flags, uintptr_t pc)
{
    for (int attempt = 0; table != NULL && attempt < 8; attempt++) {
        _Atomic uint32_t *place;
        uint32_t there = 0;
        lo_id known = look_up(address, &place, &there);
        if (known != 0)
            return known;
        if (place == NULL)
            break;
        uint16_t generation = 1;
        lo_id id = there;
        uintptr_t former = id == 0 ? 0 : atomic_load(&lo_addresses[id]);
        if (former == (address | 1)) /* a slot can also be that of another address */
            generation = next_generation(lo_locks[id].generation);
        bool reused = id != 0 && (former == 0 || (former & 1)) &&
                      !(atomic_load(&lo_locks[id].state) & (LO_LOCK_RECORDED | LO_LOCK_IN_ORDER));
        if (reused) {
            /* Nothing was ever said of the dead lock: its number is as good as new. */
            if (!atomic_compare_exchange_strong(&lo_addresses[id], &former, CLAIMED))
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
        lock->place = place_of(pc);
        lock->birth = atomic_fetch_add_explicit(&births, 1, memory_order_relaxed);
        lock->kind = kind;
        lock->flags = flags;
        lock->creation_stack = 0;
        uint8_t died = atomic_load_explicit(&deaths[lock->place], memory_order_relaxed);
        SET(lock->state, died < MANY ? 0 : LO_LOCK_COMES_AND_GOES);
        SET(lock->acquisitions, 0);
        SET(lock->contended, 0);
        SET(lock->wait_us, 0);
        SET(lock->longest_wait_us, 0);
        SET(lock->longest_hold_us, 0);
        SET(lock->stat, 0);
        atomic_store(&lo_addresses[id], address);
        if (reused || atomic_compare_exchange_strong(place, &there, id)) {
            if (has_twin(address, id)) {
                atomic_store(&lo_addresses[id], 0);
                continue;
            }
            if (kind == LO_KIND_SPIN || kind == LO_KIND_ONCE || kind == LO_KIND_PYTHON_LOCK)
                note_small(address);
            lo_filter_add(address);
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
        atomic_store(&lo_addresses[id], 0);
    }
    lo_count(LO_LOCKS_DROPPED, 1);
    return 0;
}

/* ---- deaths ------------------------------------------------------------------------------- */

static bool end(lo_id id, uintptr_t address, enum lo_counter why)
{
    uintptr_t alive = address;
    if (!atomic_compare_exchange_strong(&lo_addresses[id], &alive, address | 1))
        return false;
    lo_filter_remove(address);
    atomic_uchar *died = &deaths[lo_locks[id].place];
    uint8_t count = atomic_load_explicit(died, memory_order_relaxed);
    if (count < UINT8_MAX)
        atomic_store_explicit(died, count + 1, memory_order_relaxed);
    lo_count(why, 1);
    return true;
}

void lo_lock_ends(uintptr_t address, enum lo_counter why)
{
    lo_id id = lo_lock_known(address);
    if (id != 0)
        end(id, address, why);
}

/* How many locks there have been: a moment, as far as locks can tell. */
uint32_t lo_lock_births(void)
{
    return atomic_load(&births);
}

static bool is_older(lo_id id, uint32_t than)
{
    return (int32_t)(lo_locks[id].birth - than) < 0;
}

/* Calls *each* with the locks that are alive in a line, until it returns true. */
static inline bool in_line(uintptr_t line, bool (*each)(lo_id id, uintptr_t address, void *with),
                           void *with)
{
    uint64_t slot = slot_of(line);
    for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
        lo_id id = atomic_load_explicit(&table[(slot + probe) % TABLE], memory_order_acquire);
        if (id == 0)
            break;
        uintptr_t address = lo_alive_at(id);
        if (address / LO_LINE == line && each(id, address, with))
            return true;
    }
    return false;
}

struct ending {
    uintptr_t low, high;
    enum lo_counter why;
    uint32_t births;
};

static bool end_one(lo_id id, uintptr_t address, void *with)
{
    struct ending *ending = with;
    if (address >= ending->low && address < ending->high && is_older(id, ending->births))
        end(id, address, ending->why);
    return false;
}

/* Ends the locks in a range that were there when there had been so many *births*: what is younger
 * lies in other memory, which has come to the same place. */
void lo_locks_end_older(uintptr_t start, size_t size, enum lo_counter why, uint32_t births_then)
{
    if (table == NULL || size == 0)
        return;
    uint32_t count = lo_locks_made();
    if (size / LO_PAGE > count) { /* fewer locks than pages: through all locks, not all pages */
        for (uint32_t id = 1; id <= count; id++) {
            uintptr_t address = lo_alive_at(id);
            if (address - start < size && address != 0 && is_older(id, births_then))
                end(id, address, why);
        }
        return;
    }
    struct ending ending = {start, start + size, why, births_then};
    uintptr_t first = start / LO_LINE, last = (ending.high - 1) / LO_LINE;
    for (uintptr_t page = first / 64; page <= last / 64; page++) {
        if (lo_page_lines(page) == 0)
            continue;
        uintptr_t low = page == first / 64 ? first : page * 64;
        uintptr_t high = page == last / 64 ? last : page * 64 + 63;
        for (uintptr_t line = low; line <= high; line++)
            if (lo_line_has_locks(line))
                in_line(line, end_one, &ending);
    }
}

void lo_locks_end_range(uintptr_t start, size_t size, enum lo_counter why)
{
    lo_locks_end_older(start, size, why, lo_lock_births());
}

struct lowest {
    uintptr_t from, found;
};

static bool note_lowest(lo_id id, uintptr_t address, void *with)
{
    (void)id;
    struct lowest *lowest = with;
    if (address >= lowest->from && address < lowest->found)
        lowest->found = address;
    return false;
}

/* A lock that lies where one lay that has ended, older than so many *births*: a number of its own.
 * 0: there is no room. */
lo_id lo_lock_renew(lo_id lock, uint32_t births_then, uintptr_t pc)
{
    uintptr_t address = lo_alive_at(lock);
    if (address == 0 || !is_older(lock, births_then))
        return lock;
    uint8_t kind = lo_locks[lock].kind, flags = lo_locks[lock].flags;
    end(lock, address, LO_DEATHS_BY_STACK);
    return lo_lock_add(address, kind, flags, pc);
}

struct ending_unused {
    const struct lo_thread *thread;
    uintptr_t low, high;
};

static bool end_unused(lo_id id, uintptr_t address, void *with)
{
    const struct ending_unused *ending = with;
    if (address >= ending->low && address < ending->high &&
        !lo_is_in_use(ending->thread, id, address))
        end(id, address, LO_DEATHS_BY_STACK);
    return false;
}

/* Locks in frames that are still there: the lowest one. */
static void find_lowest(struct lo_thread *thread, uintptr_t start)
{
    thread->lowest_stack_lock = UINTPTR_MAX;
    if (atomic_load_explicit(&stack_locks, memory_order_relaxed) == 0)
        return;
    for (uintptr_t page = start / LO_PAGE; page <= thread->stack_high / LO_PAGE; page++) {
        if (lo_page_lines(page) == 0)
            continue;
        for (uintptr_t line = page * 64; line < (page + 1) * 64; line++) {
            if (!lo_line_has_locks(line))
                continue;
            struct lowest lowest = {.from = start, .found = UINTPTR_MAX};
            in_line(line, note_lowest, &lowest);
            if (lowest.found != UINTPTR_MAX) {
                thread->lowest_stack_lock = lowest.found;
                return;
            }
        }
    }
}

/* Every frame below *frame* has returned, and the locks in them with it. */
LO_COLD void lo_stack_locks_end(struct lo_thread *thread, uintptr_t frame)
{
    uintptr_t start = thread->lowest_stack_lock;
    if (frame > thread->stack_high) /* on another stack: nothing has returned here */
        return;
    if (start < frame && start >= thread->stack_low)
        lo_locks_end_range(start, frame - start, LO_DEATHS_BY_STACK);
    find_lowest(thread, frame);
}

/* The same of frames that have returned and may have been followed by others. */
LO_COLD void lo_stack_locks_end_unused(struct lo_thread *thread, uintptr_t frame)
{
    uintptr_t start = thread->lowest_stack_lock;
    if (frame > thread->stack_high || start < thread->stack_low || start >= frame)
        return;
    struct ending_unused ending = {thread, start, frame};
    for (uintptr_t line = start / LO_LINE; line <= (frame - 1) / LO_LINE; line++)
        if (lo_line_has_locks(line))
            in_line(line, end_unused, &ending);
    find_lowest(thread, start);
}
