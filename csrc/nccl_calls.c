/* Calls of NCCL: the ring of recent ones, totals for each site, places in sequences.
 *
 * The ring keeps the newest LO_RING_ENTRIES calls of the process, whoever made them. A place is
 * taken by its word (struct lo_nccl_entry says in which order things are written): nobody waits,
 * and two writers never share one. Who finds it taken by a later call, or by one that is being
 * written, leaves it alone; that call is in the totals and counted as lost.
 *
 * Totals are per communicator, function, call site and peer, written in place like those of
 * waiting calls, so that what the ring has forgotten is still counted.
 */
#include "footprint.h"
#include "python_frames.h"

#include <errno.h>
#include <string.h>

enum { TOTALS = 1 << 14, MAX_PROBES = 128 };

static _Atomic(struct lo_nccl_ring *) ring;
static _Atomic(struct lo_nccl_total_record *) *totals;

void lo_nccl_setup(void)
{
    totals = lo_map(TOTALS * sizeof *totals);
    lo_communicators_setup();
}

void lo_nccl_after_fork(void)
{
    atomic_store(&ring, NULL);
    if (totals != NULL)
        lo_clear((void *)totals, TOTALS * sizeof *totals);
    lo_signatures_after_fork();
    lo_sequences_after_fork();
    lo_communicators_after_fork();
    lo_groups_after_fork();
    lo_footprint_after_fork();
}

/* ---- the ring ---------------------------------------------------------------------------- */

/* Made at the first call: most processes have nothing to do with NCCL. */
static struct lo_nccl_ring *open_ring(const struct lo_thread *thread)
{
    struct lo_nccl_ring *mine = atomic_load_explicit(&ring, memory_order_acquire);
    if (LO_LIKELY(mine != NULL))
        return mine;
    mine = (struct lo_nccl_ring *)lo_trace_block(LO_BLOCK_RING, LO_RING_PAGES, thread->index);
    if (mine == NULL)
        return NULL;
    mine->entry_size = sizeof *mine->entry;
    mine->entries = LO_RING_ENTRIES;
    struct lo_nccl_ring *nobodys = NULL;
    if (!atomic_compare_exchange_strong(&ring, &nobodys, mine))
        return nobodys; /* another thread made one; ours stays empty */
    atomic_store(&mine->block.used, LO_RING_PAGES * LO_PAGE);
    return mine;
}

static struct lo_nccl_entry *take_place(struct lo_nccl_ring *in, uint64_t *number)
{
    *number = atomic_fetch_add_explicit(&in->last, 1, memory_order_relaxed) + 1;
    struct lo_nccl_entry *entry = &in->entry[(*number - 1) % LO_RING_ENTRIES];
    uint64_t word = atomic_load_explicit(&entry->word, memory_order_relaxed);
    if (word >> 2 > *number || (word & 3) != LO_ENTRY_DONE ||
        !atomic_compare_exchange_strong(&entry->word, &word, *number << 2 | LO_ENTRY_FILLED)) {
        atomic_fetch_add(&in->lost, 1);
        return NULL;
    }
    atomic_thread_fence(memory_order_release);
    entry->again = *number;
    atomic_thread_fence(memory_order_release);
    return entry;
}

static void write_begin(struct lo_nccl_call *call, uint64_t order)
{
    struct lo_nccl_ring *in = open_ring(call->thread);
    struct lo_nccl_entry *entry = in == NULL ? NULL : take_place(in, &call->number);
    call->entry = entry;
    if (entry == NULL)
        return;
    entry->begin_ns = call->start;
    entry->end_ns = 0;
    entry->order = order;
    entry->count = call->count;
    entry->stream = call->stream;
    entry->pc = call->pc;
    entry->communicator = call->communicator;
    entry->thread = call->thread->index;
    entry->stack = call->stack;
    entry->group = lo_group.depth > 0 ? lo_group.number : 0;
    entry->reduction = call->reduction;
    entry->root = call->root;
    entry->call = (uint16_t)call->hook;
    entry->depth = (uint16_t)lo_group.depth;
    entry->type = (int16_t)call->type;
    entry->status = LO_NCCL_NOT_RETURNED;
    atomic_store_explicit(&entry->word, call->number << 2 | LO_ENTRY_DONE, memory_order_release);
}

static void write_end(const struct lo_nccl_call *call, uint64_t now)
{
    struct lo_nccl_entry *entry = call->entry;
    uint64_t mine = call->number << 2 | LO_ENTRY_DONE;
    if (entry == NULL ||
        !atomic_compare_exchange_strong(&entry->word, &mine, call->number << 2 | LO_ENTRY_ENDED))
        return; /* forgotten: a later call has the place */
    entry->status = (int16_t)call->status;
    entry->end_ns = now;
    atomic_store_explicit(&entry->word, call->number << 2 | LO_ENTRY_DONE, memory_order_release);
}

/* ---- totals ------------------------------------------------------------------------------ */

static struct lo_nccl_total_record *new_total(const struct lo_nccl_call *call, int peer)
{
    lo_id stack = lo_stack_here(call->thread);
    struct lo_nccl_total_record *total = lo_trace_reserve(call->thread, sizeof *total);
    if (total == NULL)
        return NULL;
    memset((void *)total, 0, sizeof *total);
    total->record = (struct lo_record){LO_NCCL_TOTAL, sizeof *total, call->communicator};
    total->call = (uint16_t)call->hook;
    total->peer = peer;
    total->pc = call->pc;
    total->stack = stack;
    total->first_ns = call->start;
    lo_trace_commit(call->thread, sizeof *total);
    return total;
}

/* NULL: no room. Where two threads make one at once, both are in the file, and add up. */
struct lo_nccl_total_record *lo_nccl_total(const struct lo_nccl_call *call)
{
    int peer = (lo_hooks[call->hook].flags & LO_CALL_PEER) != 0 ? call->root : -1;
    uint64_t hash = (call->pc ^ (uint64_t)call->communicator << 40) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (uint64_t)(uint32_t)peer << 16 ^ (uint64_t)call->hook) * 0xff51afd7ed558ccdu;
    for (uint32_t probe = 0; totals != NULL && probe < MAX_PROBES; probe++) {
        _Atomic(struct lo_nccl_total_record *) *slot = &totals[((hash >> 32) + probe) % TOTALS];
        struct lo_nccl_total_record *total = atomic_load_explicit(slot, memory_order_acquire);
        if (total == NULL) {
            struct lo_nccl_total_record *made = new_total(call, peer);
            if (made != NULL)
                atomic_compare_exchange_strong(slot, &total, made);
            return made;
        }
        if (total->pc == call->pc && total->record.id == call->communicator &&
            total->call == call->hook && total->peer == peer)
            return total;
    }
    lo_count(LO_NCCL_DROPPED, 1);
    return NULL;
}

static void add(_Atomic uint64_t *sum, uint64_t more)
{
    atomic_fetch_add_explicit(sum, more, memory_order_relaxed);
}

static void total_begin(struct lo_nccl_total_record *total, const struct lo_nccl_call *call,
                        uint64_t order)
{
    add(&total->begun, 1);
    add(&total->elements, call->count);
    atomic_store_explicit(&total->last_order, order, memory_order_relaxed);
    atomic_store_explicit(&total->last_ns, call->start, memory_order_relaxed);
}

static void total_end(struct lo_nccl_total_record *total, const struct lo_nccl_call *call,
                      uint64_t now)
{
    uint64_t took = now - call->start;
    add(&total->ended, 1);
    add(&total->total_ns, took);
    if (!lo_nccl_succeeded(call->status))
        add(&total->failed, 1);
    if (took > atomic_load_explicit(&total->longest_ns, memory_order_relaxed))
        atomic_store_explicit(&total->longest_ns, took, memory_order_relaxed);
}

/* ---- a call ------------------------------------------------------------------------------ */

/* Its place among the calls that have one: ranks are compared by it. The sequences follow the same
 * numbers; what may take long is done before they are given out. */
static uint64_t take_order(struct lo_nccl_call *call, struct lo_communicator_record *record,
                           uint16_t flags)
{
    struct lo_signature *signature = lo_signature(call);
    uint32_t grouped = LO_OUTSIDE;
    if (lo_group.depth > 0)
        grouped = lo_group.sequenced ? LO_LATER_IN_GROUP : LO_FIRST_OF_GROUP;
    lo_group.sequenced = lo_group.depth > 0;
    uint32_t launch = lo_launch_symbol(call, signature, grouped);
    call->total = signature == NULL ? NULL : signature->total;
    call->stack = signature == NULL ? 0 : signature->stack;
    bool peer = (flags & LO_CALL_PEER) != 0;
    _Atomic uint64_t *of = peer ? &record->peers : &record->collectives;
    uint64_t order = atomic_fetch_add_explicit(of, 1, memory_order_relaxed) + 1;
    lo_sequence_put(call->thread, call->communicator, peer ? LO_PEERS : LO_COLLECTIVES, order,
                    signature == NULL ? 0 : signature->symbol);
    lo_sequence_launch(call->thread, launch);
    return order;
}

/* Whether the call only notes what is wanted, for the end of the group: it neither launches nor
 * waits. */
static bool is_queued(uint16_t flags)
{
    if ((flags & LO_CALL_GROUP_END) != 0)
        return lo_group.depth > 1;
    return lo_group.depth > 0 && (flags & (LO_CALL_COLLECTIVE | LO_CALL_PEER | LO_CALL_CREATES));
}

void lo_nccl_begin(struct lo_nccl_call *call)
{
    call->thread = call->wait.thread = NULL;
    call->programs_own = lo_group.inside++ == 0;
    struct lo_thread *thread = call->programs_own ? lo_enter() : NULL;
    if (thread == NULL)
        return;
    int saved_errno = errno;
    uint16_t flags = lo_hooks[call->hook].flags;
    lo_busy(thread);
    call->thread = thread;
    call->start = lo_now();
    call->communicator = lo_communicator_at(thread, call->comm);
    if ((flags & LO_CALL_LAUNCH) != 0 && call->comm != 0)
        lo_communicator_used(call->communicator, call->comm);
    call->total = NULL;
    call->stack = 0;
    call->from = call->pc;
    if ((flags & (LO_CALL_COLLECTIVE | LO_CALL_PEER | LO_CALL_GROUP_BEGIN)) != 0) {
        struct lo_python_frames python;
        lo_python_walk(&python);
        call->from ^= lo_python_hash(&python);
    }
    uint64_t order = 0;
    struct lo_communicator_record *record = lo_communicator(call->communicator);
    if (record != NULL && (flags & (LO_CALL_COLLECTIVE | LO_CALL_PEER)) != 0)
        order = take_order(call, record, flags);
    if (call->total == NULL)
        call->total = lo_nccl_total(call);
    if (call->total != NULL)
        total_begin(call->total, call, order);
    if (call->stack == 0 && call->total != NULL)
        call->stack = call->total->stack;
    if ((flags & LO_CALL_CREATES) != 0) {
        lo_id stack = call->total == NULL ? 0 : call->total->stack;
        call->made_before = call->to_make > 0 ? (uintptr_t)*call->made : 0;
        call->first_made = lo_communicators_make(thread, call, stack);
        if (call->communicator == 0)
            call->communicator = call->first_made;
    }
    write_begin(call, order);
    lo_group_calls(call, flags);
    lo_footprint_begin(call, flags);
    lo_idle(thread);
    errno = saved_errno;
    if (lo_hooks[call->hook].waits != LO_WAITS_NOT || (flags & LO_CALL_LAUNCH) != 0)
        if (!is_queued(flags))
            lo_call_begin(&call->wait, call->hook, call->comm, call->pc, 0);
}

void lo_nccl_end(struct lo_nccl_call *call)
{
    lo_group.inside--;
    struct lo_thread *thread = call->thread;
    if (thread == NULL)
        return;
    int saved_errno = errno;
    uint16_t flags = lo_hooks[call->hook].flags;
    lo_call_end(&call->wait);
    lo_busy(thread);
    if (call->status != LO_NCCL_NOT_RETURNED) {
        uint64_t now = lo_now();
        write_end(call, now);
        if (call->total != NULL)
            total_end(call->total, call, now);
    }
    lo_footprint_end(call);
    if ((flags & LO_CALL_CREATES) != 0)
        lo_group_made(call);
    if ((flags & LO_CALL_ENDS) != 0 && lo_nccl_succeeded(call->status))
        lo_communicator_ends(call->communicator, call->hook);
    if ((flags & LO_CALL_GROUP_BEGIN) != 0)
        lo_group_begins(call);
    if ((flags & LO_CALL_GROUP_END) != 0)
        lo_group_ends(call);
    lo_idle(thread);
    errno = saved_errno;
}
