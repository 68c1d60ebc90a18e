/* Operations that are alike: each kind has a record and a number, which is its symbol in
 * sequences.
 *
 * Alike are calls of one function by one thread, from one place (in Python: with the same
 * functions around it at the same lines of theirs), with the same communicator,
 * count, type, reduction, root or peer, and stream. An entry has one thread that looks for it, so
 * that nobody else adds the same, and what it leads to is found by one look.
 *
 * What a launch is has entries in the same table: of no function, and without a place.
 */
#include "nccl.h"

#include <sys/mman.h>

enum {
    SIGNATURES = 1 << 17,
    MAX_OPERATIONS = 65535,
    MAX_LAUNCHES = 16383,
    STREAMS = 1 << 12,
    MAX_PROBES = 128,
};

enum { EMPTY, TAKEN, READY };

_Static_assert(sizeof(struct lo_signature) == 64, "a cache line");

static struct tables {
    struct lo_signature signature[SIGNATURES];
    struct stream {
        _Atomic uint64_t key; /* the handle's complement, 0: empty */
        _Atomic uint32_t ordinal;
    } stream[STREAMS];
} *_Atomic tables;

static _Atomic bool no_room;
static _Atomic uint32_t operations, launches, streams;

void lo_signatures_after_fork(void)
{
    struct tables *parents = atomic_exchange(&tables, NULL);
    if (parents != NULL)
        munmap(parents, sizeof *parents);
    atomic_store(&no_room, false);
    atomic_store(&operations, 0);
    atomic_store(&launches, 0);
    atomic_store(&streams, 0);
}

static LO_COLD struct tables *make_tables(void)
{
    struct tables *mine = NULL, *nobodys = NULL;
    if (!atomic_load(&no_room))
        mine = lo_map(sizeof *mine);
    if (mine == NULL)
        atomic_store(&no_room, true);
    if (mine == NULL || atomic_compare_exchange_strong(&tables, &nobodys, mine))
        return mine;
    munmap(mine, sizeof *mine);
    return nobodys;
}

static struct tables *open_tables(void)
{
    struct tables *mine = atomic_load_explicit(&tables, memory_order_acquire);
    return LO_LIKELY(mine != NULL) ? mine : make_tables();
}

/* ---- the table --------------------------------------------------------------------------- */

static uint64_t hash_of(const struct lo_signature *key)
{
    uint64_t hash = (key->from ^ (uint64_t)key->communicator << 40) * 0x9e3779b97f4a7c15u;
    hash ^= (key->stream ^ (uint64_t)key->thread << 48) * 0xc2b2ae3d27d4eb4fu;
    hash ^= (key->count ^ (uint64_t)(uint32_t)key->root << 40) * 0x165667b19e3779f9u;
    uint64_t rest = (uint64_t)(uint32_t)key->reduction << 32 | (uint64_t)(uint16_t)key->type << 16;
    hash = (hash ^ hash >> 29 ^ rest ^ key->hook) * 0xff51afd7ed558ccdu;
    return hash >> 32;
}

static bool is_same(const struct lo_signature *one, const struct lo_signature *other)
{
    return one->from == other->from && one->count == other->count && one->stream == other->stream &&
           one->communicator == other->communicator && one->root == other->root &&
           one->reduction == other->reduction && one->type == other->type &&
           one->hook == other->hook && one->thread == other->thread;
}

/* The entry like *key*: a READY one, or one that is TAKEN for the caller to make; NULL: no room.
 * One that another thread has taken is not like ours, and neither is what a jump left behind. */
static struct lo_signature *find(struct tables *in, const struct lo_signature *key, bool may_add)
{
    uint64_t hash = hash_of(key);
    for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
        struct lo_signature *entry = &in->signature[(hash + probe) % SIGNATURES];
        uint16_t state = atomic_load_explicit(&entry->state, memory_order_acquire);
        if (LO_LIKELY(state == READY && is_same(entry, key)))
            return entry;
        if (state != EMPTY)
            continue;
        if (!may_add)
            return NULL;
        if (atomic_compare_exchange_strong(&entry->state, &state, TAKEN)) {
            entry->hook = key->hook;
            entry->type = key->type;
            entry->thread = key->thread;
            entry->count = key->count;
            entry->from = key->from;
            entry->stream = key->stream;
            entry->communicator = key->communicator;
            entry->root = key->root;
            entry->reduction = key->reduction;
            return entry;
        }
    }
    return NULL;
}

/* 0: there are as many as there can be. */
static uint16_t next_number(_Atomic uint32_t *of, uint32_t most)
{
    uint32_t number = atomic_fetch_add(of, 1) + 1;
    return number <= most ? (uint16_t)number : 0;
}

/* ---- streams ----------------------------------------------------------------------------- */

static uint32_t ordinal_of(struct tables *in, uint64_t handle)
{
    uint64_t key = ~handle, hash = handle * 0x9e3779b97f4a7c15u >> 32;
    for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
        struct stream *slot = &in->stream[(hash + probe) % STREAMS];
        uint64_t seen = 0;
        if (!atomic_compare_exchange_strong(&slot->key, &seen, key) && seen != key)
            continue;
        uint32_t ordinal = atomic_load(&slot->ordinal);
        if (ordinal != 0)
            return ordinal;
        uint32_t next = atomic_fetch_add(&streams, 1) + 1;
        return atomic_compare_exchange_strong(&slot->ordinal, &ordinal, next) ? next : ordinal;
    }
    return 0;
}

/* A call of the host's alone has no stream. */
static bool is_host_call(const struct lo_nccl_call *call)
{
    return (lo_hooks[call->hook].flags & LO_CALL_LAUNCH) == 0;
}

/* ---- operations -------------------------------------------------------------------------- */

/* The first call from a place has been unwound for its total. That of another line of Python has
 * a stack of its own: lines are what ranks are compared by. */
static lo_id stack_of(const struct lo_nccl_call *call, const struct lo_signature *entry,
                      const struct lo_nccl_total_record *total)
{
    bool first = total != NULL && total->first_ns == call->start;
    if (!first && (entry->from != call->pc || lo_may_unwind_freely(call->pc)))
        return lo_stack_here(call->thread);
    return total == NULL ? 0 : total->stack;
}

static LO_COLD void make(struct tables *in, const struct lo_nccl_call *call,
                         struct lo_signature *entry)
{
    entry->total = lo_nccl_total(call);
    lo_id stack = entry->stack = stack_of(call, entry, entry->total);
    uint16_t number = next_number(&operations, MAX_OPERATIONS);
    struct lo_nccl_operation_record *record = NULL;
    if (number != 0)
        record = lo_trace_reserve(call->thread, sizeof *record);
    if (record != NULL) {
        entry->symbol = number;
        *record = (struct lo_nccl_operation_record){
            .record = {LO_NCCL_OPERATION, sizeof *record, entry->symbol},
            .count = call->count,
            .pc = call->pc,
            .communicator = call->communicator,
            .thread = call->thread->index,
            .stack = stack,
            .root = call->root,
            .reduction = call->reduction,
            .stream = is_host_call(call) ? 0 : ordinal_of(in, call->stream),
            .type = (int16_t)call->type,
            .call = (uint16_t)call->hook,
        };
        lo_trace_commit(call->thread, sizeof *record);
    }
    atomic_store_explicit(&entry->state, READY, memory_order_release);
}

struct lo_signature *lo_signature(const struct lo_nccl_call *call)
{
    struct tables *in = open_tables();
    const struct lo_signature key = {
        .hook = (uint16_t)call->hook,
        .type = (int16_t)call->type,
        .thread = (uint16_t)call->thread->index,
        .count = call->count,
        .from = call->from,
        .stream = call->stream,
        .communicator = call->communicator,
        .root = call->root,
        .reduction = call->reduction,
    };
    struct lo_signature *entry = NULL;
    if (LO_LIKELY(in != NULL))
        entry = find(in, &key, atomic_load(&operations) < MAX_OPERATIONS);
    if (LO_UNLIKELY(entry != NULL && atomic_load(&entry->state) == TAKEN))
        make(in, call, entry);
    if (LO_UNLIKELY(entry == NULL || entry->symbol == 0))
        lo_count(LO_NCCL_OPERATIONS_DROPPED, 1);
    return entry;
}

/* ---- launches ---------------------------------------------------------------------------- */

static LO_COLD uint32_t new_launch(const struct lo_nccl_call *call, uint32_t grouped)
{
    struct tables *in = open_tables();
    bool host = is_host_call(call);
    uint16_t flags = host ? LO_LAUNCH_HOST : 0;
    if ((lo_hooks[call->hook].flags & LO_CALL_PEER) != 0)
        flags |= LO_LAUNCH_PEER;
    const struct lo_signature key = {
        .hook = LO_HOOK_NONE,
        .thread = (uint16_t)call->thread->index,
        .stream = call->stream,
        .communicator = call->communicator,
        .root = (int32_t)grouped,
        .reduction = flags,
    };
    struct lo_signature *entry =
        in == NULL ? NULL : find(in, &key, atomic_load(&launches) < MAX_LAUNCHES);
    if (entry == NULL || atomic_load(&entry->state) == READY)
        return entry == NULL ? 0 : entry->symbol;
    uint16_t number = next_number(&launches, MAX_LAUNCHES);
    struct lo_nccl_launch_record *record = NULL;
    if (number != 0)
        record = lo_trace_reserve(call->thread, sizeof *record);
    if (record != NULL) {
        entry->symbol = number;
        *record = (struct lo_nccl_launch_record){
            .record = {LO_NCCL_LAUNCH, sizeof *record, entry->symbol},
            .handle = call->stream,
            .communicator = call->communicator,
            .thread = call->thread->index,
            .stream = host ? 0 : ordinal_of(in, call->stream),
            .grouped = (uint16_t)grouped,
            .flags = flags,
        };
        lo_trace_commit(call->thread, sizeof *record);
    }
    atomic_store_explicit(&entry->state, READY, memory_order_release);
    return entry->symbol;
}

uint32_t lo_launch_symbol(const struct lo_nccl_call *call, struct lo_signature *signature,
                          uint32_t grouped)
{
    if (LO_LIKELY(signature != NULL && signature->launch[grouped] != 0))
        return signature->launch[grouped];
    uint32_t symbol = new_launch(call, grouped);
    if (signature != NULL)
        signature->launch[grouped] = (uint16_t)symbol;
    if (symbol == 0)
        lo_count(LO_NCCL_OPERATIONS_DROPPED, 1);
    return symbol;
}
