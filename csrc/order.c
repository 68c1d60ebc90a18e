/* Orders between locks: recorded once and looked up ever after. None of this is on the hot path. */
#include "locks.h"
#include "python_frames.h"

#include <errno.h>
#include <string.h>

enum { EDGES = 1 << 18, MAX_PROBES = 64, MAX_GATES = 64, WITNESSES = 4 };

struct edge {
    _Atomic uint64_t key;   /* from, to; 0 is empty */
    _Atomic uint64_t gates; /* bits of the gates that all its records have */
    _Atomic uint32_t threads[WITNESSES - 1];
    _Atomic uint32_t state; /* modes; how many threads are noted */
};

static struct edge *edges;

void lo_order_setup(void)
{
    if (edges == NULL && lo_places_setup())
        edges = lo_map(EDGES * sizeof *edges);
}

void lo_order_after_fork(void)
{
    if (edges != NULL)
        lo_clear((void *)edges, EDGES * sizeof *edges);
    lo_places_after_fork();
}

static struct edge *find_edge(lo_id from, lo_id to, uint32_t modes)
{
    uint64_t key = (uint64_t)from << 32 | to;
    uint64_t hash = (key ^ modes) * 0x9e3779b97f4a7c15u;
    for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
        struct edge *edge = &edges[((hash >> 32) + probe) % EDGES];
        uint64_t seen = atomic_load_explicit(&edge->key, memory_order_acquire);
        if (seen == 0) {
            if (atomic_compare_exchange_strong(&edge->key, &seen, key)) {
                atomic_store(&edge->gates, UINT64_MAX);
                atomic_store(&edge->state, modes << 8);
                lo_count(LO_EDGES_SEEN, 1);
                return edge;
            }
        }
        if (seen == key && atomic_load(&edge->state) >> 8 == modes)
            return edge;
    }
    lo_count(LO_EDGES_DROPPED, 1);
    return NULL;
}

static uint64_t gate_bit(const struct lo_held_lock *held)
{
    return (uint64_t)1 << ((held->lock * 2654435761u + held->mode) >> 26);
}

/* CPython never waits for one of its locks with the GIL: where a try fails it gives the GIL up
 * first (Modules/_threadmodule.c, acquire_timed). So the GIL is neither before such a lock nor a
 * gate in front of it. */
static bool is_let_go(lo_id held, lo_id taken)
{
    return lo_locks[taken].kind == LO_KIND_PYTHON_LOCK && lo_locks[held].kind == LO_KIND_GIL;
}

static uint64_t gate_bits(const struct lo_thread *thread, uint32_t except, lo_id taken)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < thread->depth; i++)
        if (i != except && !is_let_go(thread->area->held[i].lock, taken))
            bits |= gate_bit(&thread->area->held[i]);
    return bits;
}

/* Whether this thread's occurrence of an edge says something that its records do not. */
static bool is_news(struct lo_thread *thread, struct edge *edge, uint64_t gates)
{
    uint64_t known = atomic_fetch_and(&edge->gates, gates);
    bool fewer = (known & gates) != known;
    uint32_t noted = atomic_load(&edge->state) & 0xff;
    for (uint32_t i = 0; i < noted && i < WITNESSES - 1; i++)
        if (atomic_load(&edge->threads[i]) == thread->index)
            return fewer;
    if (noted < WITNESSES - 1) {
        uint32_t mine = atomic_fetch_add(&edge->state, 1) & 0xff;
        if (mine < WITNESSES - 1)
            atomic_store(&edge->threads[mine], thread->index);
        return true;
    }
    return fewer;
}

static void write_edge(struct lo_thread *thread, uint32_t index, struct lo_held_lock taken,
                       lo_id stack)
{
    const struct lo_held_lock *from = &thread->area->held[index];
    uint32_t gates = 0;
    for (uint32_t i = 0; i < thread->depth && gates < MAX_GATES; i++)
        gates += i != index && !is_let_go(thread->area->held[i].lock, taken.lock);
    size_t size = sizeof(struct lo_edge_record) + gates * sizeof(struct lo_gate);
    lo_lock_record(thread, from->lock, lo_stack_of(thread, index));
    lo_lock_record(thread, taken.lock, stack);
    struct lo_edge_record *record = lo_trace_reserve(thread, size);
    if (record == NULL)
        return;
    *record = (struct lo_edge_record){
        .record = {LO_EDGE, (uint16_t)size, thread->index},
        .from = from->lock,
        .to = taken.lock,
        .from_mode = from->mode,
        .to_mode = taken.mode,
        .from_how = from->how,
        .to_how = taken.how,
        .gates = gates,
        .from_stack = lo_stack_of(thread, index),
        .to_stack = stack,
        .from_pc = from->pc,
        .time_ns = lo_now(),
    };
    uint32_t n = 0;
    for (uint32_t i = 0; i < thread->depth && n < gates; i++)
        if (i != index && !is_let_go(thread->area->held[i].lock, taken.lock)) {
            const struct lo_held_lock *held = &thread->area->held[i];
            record->gate[n++] = (struct lo_gate){held->lock, held->mode, held->how, 0};
        }
    lo_trace_commit(thread, size);
}

/* Whether *owner*, as glibc keeps it (a thread number), is the thread: as it is, or as it was
 * before a fork. */
bool lo_is_owner(const struct lo_thread *thread, int owner)
{
    return owner == (int)thread->tid || (owner != 0 && owner == (int)thread->former_tid);
}

/* Whether the thread has it as far as the lock itself can tell: glibc keeps the owner of a mutex
 * and the writer of a reader-writer lock (bits/struct_mutex.h, struct_rwlock.h). What was released
 * by means that no call shows, a copied lock or an inlined unlock, is not held. */
bool lo_still_holds(const struct lo_thread *thread, const struct lo_held_lock *held)
{
    const struct lo_lock *lock = &lo_locks[held->lock];
    uintptr_t address = lo_alive_at(held->lock);
    if (lo_is_signal(held->lock) || address == 0)
        return false;
    if (lock->kind == LO_KIND_GIL)
        return lo_gil_held();
    if (lock->kind == LO_KIND_MUTEX)
        return lo_is_owner(thread, ((const pthread_mutex_t *)address)->__data.__owner);
    if (lock->kind == LO_KIND_RWLOCK && held->mode == LO_EXCLUSIVE)
        return lo_is_owner(thread, ((const pthread_rwlock_t *)address)->__data.__cur_writer);
    return true;
}

void lo_drop_stale(struct lo_thread *thread)
{
    for (uint32_t i = thread->depth; i > 0; i--)
        if (!lo_still_holds(thread, &thread->area->held[i - 1]))
            lo_remove(thread, i - 1);
}

static bool comes_and_goes(lo_id lock)
{
    return (atomic_load(&lo_locks[lock].state) & LO_LOCK_COMES_AND_GOES) != 0;
}

/* Unwinds. True: a lock of the chain lies where another lay, whose frame is gone, as it turns out;
 * it has another number from here on. */
static bool has_moved(struct lo_thread *thread, struct lo_held_lock *taken, lo_id *stack)
{
    uint64_t hash = lo_chain_hash(thread);
    lo_id number = taken->lock;
    thread->taking = taken;
    *stack = lo_stack_here(thread);
    thread->taking = NULL;
    return number != taken->lock || hash != lo_chain_hash(thread);
}

/* A chain that this thread has not had before, or has forgotten: its last lock is new on top of
 * what is held. Drops what is not held any more. By its places it is remembered once there is
 * nothing left to tell of them. Where it was taken, 0: not kept. */
LO_COLD lo_id lo_new_chain(struct lo_thread *thread, struct lo_held_lock *lock, uint64_t by_place)
{
    if (edges == NULL || lock->lock == 0)
        return 0;
    int saved_errno = errno;
    lo_busy(thread);
    lo_id stack = 0;
    lo_drop_stale(thread);
again:;
    struct lo_held_lock taken = *lock;
    bool told = by_place != 0;
    if (taken.how != LO_TRY) {
        for (uint32_t i = thread->depth; i > 0; i--) {
            const struct lo_held_lock *held = &thread->area->held[i - 1];
            if (held->lock == taken.lock || is_let_go(held->lock, taken.lock))
                continue;
            struct lo_place *place = NULL;
            if (comes_and_goes(held->lock) || comes_and_goes(taken.lock)) {
                place = lo_find_place(lo_place_key(held->pc, taken.pc));
                if (place != NULL && atomic_load(&place->count) >= lo_place_allowance()) {
                    lo_count(LO_EDGES_FOLDED, 1);
                    continue;
                }
                told = false;
            }
            uint32_t modes = (uint32_t)held->mode | (uint32_t)taken.mode << 1 |
                             (uint32_t)taken.how << 2 | (uint32_t)held->how << 4;
            struct edge *edge = find_edge(held->lock, taken.lock, modes);
            if (edge == NULL || !is_news(thread, edge, gate_bits(thread, i - 1, taken.lock)))
                continue;
            if (stack == 0 && has_moved(thread, lock, &stack))
                goto again;
            write_edge(thread, i - 1, taken, stack);
            lo_note_recorded(place);
            atomic_fetch_or(&lo_locks[held->lock].state, LO_LOCK_IN_ORDER);
            atomic_fetch_or(&lo_locks[taken.lock].state, LO_LOCK_IN_ORDER);
        }
    }
    if (told)
        lo_remember(thread, by_place, 0, 0);
    if (stack == 0 && thread->late == 0 && lo_may_unwind_freely(lo_python_place(taken.pc)) &&
        has_moved(thread, lock, &stack))
        goto again;
    lo_idle(thread);
    errno = saved_errno;
    return stack;
}
