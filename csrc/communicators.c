/* Communicators: a handle and which of those that had it, from their making to their end.
 *
 * A communicator has a record from the moment when its making begins, since that call waits for
 * other ranks and may never return. Its handle is known when the call returns, or the group that
 * it is in. Handles are addresses, which come again: like a lock, a communicator is one of the
 * generations of an address.
 *
 * Nothing is ever removed from the table of addresses: there are as many entries as communicators
 * that lived at once, or little more.
 */
#include "nccl.h"

#include <string.h>

enum { ASKED = -2 }; /* a rank that is not known, and that NCCL was asked for */
enum { ADDRESSES = 1 << 15, MAX_PROBES = 64 };

static struct communicator {
    struct lo_communicator_record *record;
    _Atomic uint32_t children; /* split from it so far */
} *communicators;              /* by id */
static _Atomic uint32_t count;

static struct address {
    _Atomic uintptr_t address; /* 0: empty */
    _Atomic lo_id id;          /* 0: none lives here */
    _Atomic uint32_t generation;
} *addresses;

void lo_communicators_setup(void)
{
    communicators = lo_map(LO_MAX_COMMUNICATORS * sizeof *communicators);
    addresses = lo_map(ADDRESSES * sizeof *addresses);
    if (addresses == NULL)
        communicators = NULL;
}

void lo_communicators_after_fork(void)
{
    if (communicators != NULL) {
        lo_clear((void *)communicators, LO_MAX_COMMUNICATORS * sizeof *communicators);
        lo_clear((void *)addresses, ADDRESSES * sizeof *addresses);
    }
    atomic_store(&count, 0);
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo: draft-eastlake-fnv): simple enough for every reader. */
uint64_t lo_fnv(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    if (hash == 0)
        hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

struct lo_communicator_record *lo_communicator(lo_id id)
{
    return id == 0 || id >= LO_MAX_COMMUNICATORS ? NULL : communicators[id].record;
}

static struct address *find_address(uintptr_t address)
{
    uint64_t hash = address * 0x9e3779b97f4a7c15u >> 32;
    for (uint32_t probe = 0; communicators != NULL && probe < MAX_PROBES; probe++) {
        struct address *slot = &addresses[(hash + probe) % ADDRESSES];
        uintptr_t seen = atomic_load_explicit(&slot->address, memory_order_acquire);
        if (seen == address ||
            (seen == 0 &&
             (atomic_compare_exchange_strong(&slot->address, &seen, address) || seen == address)))
            return slot;
    }
    return NULL;
}

/* ---- making ------------------------------------------------------------------------------ */

static bool write_record(struct lo_thread *thread, lo_id id,
                         const struct lo_communicator_record *content)
{
    struct lo_communicator_record *record = NULL;
    if (id < LO_MAX_COMMUNICATORS && communicators != NULL)
        record = lo_trace_reserve(thread, sizeof *record);
    if (record == NULL) {
        lo_count(LO_NCCL_DROPPED, 1);
        return false;
    }
    memcpy((void *)record, (const void *)content, sizeof *record);
    record->record = (struct lo_record){LO_COMMUNICATOR, sizeof *record, id};
    record->thread = thread->index;
    record->begin_ns = lo_now();
    lo_trace_commit(thread, sizeof *record);
    communicators[id].record = record;
    return true;
}

/* What the ranks of a communicator have in common. A split is numbered among those of its parent,
 * which all ranks of that make in one order; a shrink is one that the excluded do not make. */
static uint64_t derived(lo_id parent, int color)
{
    uint64_t unique = communicators[parent].record->unique;
    uint32_t ordinal = atomic_fetch_add(&communicators[parent].children, 1);
    if (unique == 0)
        return 0;
    const unsigned char bytes[] = {
        (unsigned char)ordinal,       (unsigned char)(ordinal >> 8), (unsigned char)(ordinal >> 16),
        (unsigned char)color,         (unsigned char)(color >> 8),   (unsigned char)(color >> 16),
        (unsigned char)(color >> 24),
    };
    return lo_fnv(unique, bytes, sizeof bytes);
}

/* All ranks in this process, by an id that nobody sees: one of ours. */
static uint64_t of_this_process(void)
{
    uint64_t bytes[] = {lo_trace->start_real_ns, lo_trace->pid, lo_now()};
    return lo_fnv(0, bytes, sizeof bytes);
}

/* Records for all that the call makes, numbered one after the other; the number of the first. */
lo_id lo_communicators_make(struct lo_thread *thread, const struct lo_nccl_call *call, lo_id stack)
{
    lo_id first = atomic_fetch_add(&count, call->to_make) + 1;
    struct lo_communicator_record content = {
        .unique = call->unique,
        .parent = call->communicator,
        .ranks = call->ranks,
        .rank = call->rank,
        .color = call->color,
        .key = call->key,
        .made_by = (uint16_t)call->hook,
        .stack = stack,
    };
    if (call->communicator != 0)
        content.unique = derived(call->communicator, call->color);
    else if (call->hook == LO_HOOK_ncclCommInitAll)
        content.unique = of_this_process();
    for (uint32_t i = 0; i < call->to_make; i++) {
        content.rank = call->rank < 0 ? -1 : call->rank + (int)i;
        write_record(thread, first + i, &content);
    }
    return call->to_make == 0 ? 0 : first;
}

void lo_communicator_made(lo_id id, uintptr_t address)
{
    struct lo_communicator_record *record = lo_communicator(id);
    struct address *slot = address == 0 || record == NULL ? NULL : find_address(address);
    if (slot == NULL)
        return;
    atomic_store(&record->generation, atomic_fetch_add(&slot->generation, 1) + 1);
    atomic_store(&record->address, address);
    atomic_store(&slot->id, id);
}

/* A split does not say which rank it gave, nor how many there are: its first operation is a moment
 * at which NCCL can be asked. Both only read what lies in the communicator (nccl.h). */
void lo_communicator_used(lo_id id, uintptr_t address)
{
    typedef int ask_function(void *communicator, int *answer);
    struct lo_communicator_record *record = lo_communicator(id);
    if (LO_LIKELY(record == NULL || record->rank >= 0 || record->rank == ASKED))
        return;
    record->rank = ASKED;
    ask_function *ask_rank = (ask_function *)lo_find_defined("ncclCommUserRank");
    ask_function *ask_count = (ask_function *)lo_find_defined("ncclCommCount");
    int rank = -1, ranks = -1;
    if (ask_rank != NULL && ask_rank((void *)address, &rank) == LO_NCCL_SUCCESS && rank >= 0)
        record->rank = rank;
    if (ask_count != NULL && ask_count((void *)address, &ranks) == LO_NCCL_SUCCESS && ranks > 0)
        record->ranks = ranks;
}

/* By number: another one may have its address by now. */
void lo_communicator_ends(lo_id id, enum lo_hook why)
{
    struct lo_communicator_record *record = lo_communicator(id);
    if (record == NULL)
        return;
    uintptr_t address = atomic_load(&record->address);
    struct address *slot = address == 0 ? NULL : find_address(address);
    lo_id mine = id;
    if (slot != NULL)
        atomic_compare_exchange_strong(&slot->id, &mine, 0);
    atomic_store(&record->ended_by, (uint16_t)why);
    atomic_store(&record->end_ns, lo_now());
}

/* The communicator with this handle; one whose making was not seen begins here. */
lo_id lo_communicator_at(struct lo_thread *thread, uintptr_t address)
{
    struct address *slot = address == 0 ? NULL : find_address(address);
    if (slot == NULL)
        return 0;
    lo_id id = atomic_load_explicit(&slot->id, memory_order_acquire);
    if (LO_LIKELY(id != 0))
        return id;
    const struct lo_communicator_record unknown = {.ranks = -1, .rank = -1, .color = -1, .key = -1};
    id = atomic_fetch_add(&count, 1) + 1;
    lo_id nobody = 0;
    if (!write_record(thread, id, &unknown) ||
        !atomic_compare_exchange_strong(&slot->id, &nobody, id))
        return nobody; /* another thread was first: its record counts */
    lo_communicator_made(id, address);
    return id;
}
