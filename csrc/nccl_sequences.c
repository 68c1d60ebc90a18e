/* Sequences: in which order the operations of a communicator were called, and all launches.
 *
 * Any thread may issue the next operation, and its order number says where it belongs. Who finds
 * the sequence without an owner owns it and writes: its own, and what others have staged
 * meanwhile, in the order of their numbers. Who finds it owned stages its operation, tells the
 * owner by a bit, and goes on: nobody waits. An owner lets go only while that bit is not set, so
 * that nothing stays staged when all have gone.
 *
 * A number whose operation never comes (its thread ended, or a signal's handler jumped away) holds
 * up those behind it until the ring of staged ones is full; then it becomes a 0.
 */
#include "nccl.h"

#include <sys/mman.h>

enum { MAX_SEQUENCES = 512, KINDS = 2 };
enum { OWNED = 1, MORE_STAGED = 2 };

static _Atomic(struct lo_sequence *) *_Atomic of_communicators; /* by id and kind */
static _Atomic(struct lo_sequence *) of_launches;
static _Atomic uint64_t launched;
static _Atomic uint32_t made;
static const size_t table_size = KINDS * LO_MAX_COMMUNICATORS * sizeof *of_communicators;

static void forget(_Atomic(struct lo_sequence *) *slot)
{
    struct lo_sequence *parents = atomic_exchange(slot, NULL);
    if (parents != NULL)
        munmap(parents, sizeof *parents);
}

void lo_sequences_after_fork(void)
{
    _Atomic(struct lo_sequence *) *table = atomic_exchange(&of_communicators, NULL);
    for (size_t i = 0; table != NULL && i < KINDS * LO_MAX_COMMUNICATORS; i++)
        if (atomic_load_explicit(&table[i], memory_order_relaxed) != NULL)
            forget(&table[i]);
    if (table != NULL)
        munmap((void *)table, table_size);
    forget(&of_launches);
    atomic_store(&launched, 0);
    atomic_store(&made, 0);
    lo_tokens_after_fork();
}

static LO_COLD struct lo_sequence *make(_Atomic(struct lo_sequence *) *slot, lo_id communicator,
                                        enum lo_sequence_kind kind)
{
    struct lo_sequence *mine = NULL, *nobodys = NULL;
    if (atomic_load(&made) < MAX_SEQUENCES)
        mine = lo_map(sizeof *mine);
    if (mine == NULL)
        return NULL;
    mine->communicator = communicator;
    mine->kind = kind;
    if (!atomic_compare_exchange_strong(slot, &nobodys, mine)) {
        munmap(mine, sizeof *mine);
        return nobodys;
    }
    atomic_fetch_add(&made, 1);
    return mine;
}

static LO_COLD void make_table(void)
{
    _Atomic(struct lo_sequence *) *mine = lo_map(table_size), *nobodys = NULL;
    if (mine != NULL && !atomic_compare_exchange_strong(&of_communicators, &nobodys, mine))
        munmap((void *)mine, table_size);
}

/* ---- staging ----------------------------------------------------------------------------- */

/* Staged: the order number, 48 bits, and the symbol. What is there of an order number that was
 * drained is nothing. */
static uint64_t staged_as(uint64_t order, uint32_t symbol)
{
    return order << 16 | symbol;
}

/* False: there is no room now. */
static bool stage(struct lo_sequence *in, uint64_t order, uint32_t symbol)
{
    _Atomic uint64_t *slot = &in->staged[order % LO_STAGED];
    uint64_t seen = atomic_load(slot);
    for (;;) {
        uint64_t drained = atomic_load(&in->drained);
        if (order <= drained)
            return true; /* given up by the owner, and counted */
        if (order - drained > LO_STAGED)
            return false;
        if (atomic_compare_exchange_strong(slot, &seen, staged_as(order, symbol)))
            return true;
    }
}

static void add(struct lo_thread *thread, struct lo_sequence *to, uint64_t order, uint32_t symbol)
{
    lo_tokens_add(thread, to, symbol);
    atomic_store_explicit(&to->drained, order, memory_order_release);
}

/* The owner's: all that is staged and whose turn it is. */
static void drain(struct lo_thread *thread, struct lo_sequence *in)
{
    for (;;) {
        uint64_t next = atomic_load_explicit(&in->drained, memory_order_relaxed) + 1;
        uint64_t seen = atomic_load(&in->staged[next % LO_STAGED]);
        if (seen >> 16 == next) {
            add(thread, in, next, (uint32_t)(seen & UINT16_MAX));
        } else if (next <= atomic_load(&in->skip_to)) {
            lo_count(LO_NCCL_UNSEQUENCED, 1);
            add(thread, in, next, 0);
        } else {
            return;
        }
    }
}

static void give_up(struct lo_sequence *in, uint64_t order)
{
    uint64_t seen = atomic_load(&in->skip_to);
    while (seen < order && !atomic_compare_exchange_weak(&in->skip_to, &seen, order))
        ;
}

/* ---- owning ------------------------------------------------------------------------------ */

static uint32_t as_owner(const struct lo_thread *thread)
{
    return thread->index << 2 | OWNED;
}

/* False: some have staged meanwhile, and it is still ours. */
static bool let_go(const struct lo_thread *thread, struct lo_sequence *of)
{
    uint32_t seen = as_owner(thread);
    if (LO_LIKELY(atomic_compare_exchange_strong(&of->owner, &seen, 0)))
        return true;
    atomic_store(&of->owner, as_owner(thread));
    return false;
}

static void drain_and_let_go(struct lo_thread *thread, struct lo_sequence *of)
{
    do {
        drain(thread, of);
    } while (!let_go(thread, of));
}

/* Something is staged: whoever owns the sequence will see to it, or we do. */
static void see_to_it(struct lo_thread *thread, struct lo_sequence *of)
{
    uint32_t seen = 0;
    while (!atomic_compare_exchange_strong(&of->owner, &seen, as_owner(thread))) {
        if (seen >> 2 == thread->index) {
            /* A signal's handler jumped away while we owned it: who knows what was half done. */
            of->ended = true;
            break;
        }
        if ((seen & MORE_STAGED) != 0 ||
            (seen != 0 && atomic_compare_exchange_strong(&of->owner, &seen, seen | MORE_STAGED)))
            return;
        seen = 0;
    }
    drain_and_let_go(thread, of);
}

static LO_COLD void put_staged(struct lo_thread *thread, struct lo_sequence *to, uint64_t order,
                               uint32_t symbol)
{
    if (!stage(to, order, symbol)) {
        give_up(to, order - LO_STAGED);
        see_to_it(thread, to);
        if (!stage(to, order, symbol))
            give_up(to, order);
    }
    see_to_it(thread, to);
}

static void put(struct lo_thread *thread, struct lo_sequence *to, uint64_t order, uint32_t symbol)
{
    uint32_t nobody = 0;
    if (LO_UNLIKELY(atomic_load_explicit(&to->drained, memory_order_relaxed) + 1 != order ||
                    !atomic_compare_exchange_strong(&to->owner, &nobody, as_owner(thread)))) {
        put_staged(thread, to, order, symbol);
        return;
    }
    /* Ours alone to write, unless it was given up a moment ago. */
    if (LO_LIKELY(atomic_load_explicit(&to->drained, memory_order_relaxed) + 1 == order))
        add(thread, to, order, symbol);
    uint64_t next = atomic_load(&to->staged[(order + 1) % LO_STAGED]);
    if (LO_UNLIKELY(next >> 16 == order + 1 || !let_go(thread, to)))
        drain_and_let_go(thread, to);
}

void lo_sequence_put(struct lo_thread *thread, lo_id communicator, enum lo_sequence_kind kind,
                     uint64_t order, uint32_t symbol)
{
    if (LO_UNLIKELY(atomic_load_explicit(&of_communicators, memory_order_acquire) == NULL))
        make_table();
    _Atomic(struct lo_sequence *) *slot = atomic_load(&of_communicators);
    if (slot != NULL) {
        slot += KINDS * communicator + (kind == LO_PEERS);
        struct lo_sequence *to = atomic_load_explicit(slot, memory_order_acquire);
        if (LO_UNLIKELY(to == NULL))
            to = make(slot, communicator, kind);
        if (LO_LIKELY(to != NULL)) {
            put(thread, to, order, symbol);
            return;
        }
    }
    lo_count(LO_NCCL_UNSEQUENCED, 1);
}

void lo_sequence_launch(struct lo_thread *thread, uint32_t symbol)
{
    struct lo_sequence *to = atomic_load_explicit(&of_launches, memory_order_acquire);
    if (LO_UNLIKELY(to == NULL))
        to = make(&of_launches, 0, LO_LAUNCHES);
    uint64_t order = atomic_fetch_add_explicit(&launched, 1, memory_order_relaxed) + 1;
    if (LO_LIKELY(to != NULL))
        put(thread, to, order, symbol);
    else
        lo_count(LO_NCCL_UNSEQUENCED, 1);
}
