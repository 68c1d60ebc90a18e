/* Counters that cost a hook no shared cache line.
 *
 * Each thread claims a slot on its first call and is its only writer; the
 * report adds the slots up while other threads may still run. A slot outlives
 * its thread, so nothing has to happen when a thread exits. Threads past the
 * last slot share one more, with atomic additions: slower, never wrong.
 */
#include "shim.h"

#include <string.h>

enum { OWN_SLOTS = 1024, CACHE_LINE = 64 };

struct slot {
    _Alignas(CACHE_LINE) _Atomic uint64_t calls[LO_HOOK_COUNT];
    _Atomic uint64_t max_depth;
};

/* In .bss: pages of slots that no thread claims are never touched. */
static struct slot slots[OWN_SLOTS + 1];
static struct slot *const shared_slot = &slots[OWN_SLOTS];
static atomic_size_t claimed;

static LO_THREAD_LOCAL struct slot *own_slot;

static struct slot *slot_of_this_thread(void)
{
    if (__builtin_expect(own_slot == NULL, 0)) {
        size_t index = atomic_fetch_add_explicit(&claimed, 1, memory_order_relaxed);
        own_slot = index < OWN_SLOTS ? &slots[index] : shared_slot;
    }
    return own_slot;
}

void lo_count_call(enum lo_hook hook)
{
    struct slot *slot = slot_of_this_thread();
    _Atomic uint64_t *counter = &slot->calls[hook];
    if (__builtin_expect(slot == shared_slot, 0)) {
        atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
        return;
    }
    /* One writer: a load and a store, without the bus lock of an addition. */
    uint64_t count = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, count + 1, memory_order_relaxed);
}

void lo_count_depth(unsigned depth)
{
    _Atomic uint64_t *deepest = &slot_of_this_thread()->max_depth;
    uint64_t seen = atomic_load_explicit(deepest, memory_order_relaxed);
    while (depth > seen && !atomic_compare_exchange_weak_explicit(
                               deepest, &seen, depth, memory_order_relaxed, memory_order_relaxed))
        ;
}

static size_t used_slots(void)
{
    size_t count = atomic_load_explicit(&claimed, memory_order_relaxed);
    return count < OWN_SLOTS ? count : OWN_SLOTS + 1;
}

void lo_counters_sum(struct lo_totals *totals)
{
    memset(totals, 0, sizeof *totals);
    totals->threads = atomic_load_explicit(&claimed, memory_order_relaxed);
    for (size_t i = 0; i < used_slots(); i++) {
        for (size_t hook = 0; hook < LO_HOOK_COUNT; hook++)
            totals->calls[hook] +=
                atomic_load_explicit(&slots[i].calls[hook], memory_order_relaxed);
        uint64_t depth = atomic_load_explicit(&slots[i].max_depth, memory_order_relaxed);
        if (depth > totals->max_depth)
            totals->max_depth = depth;
    }
}

/* A forked child starts with its parent's numbers, which the parent reports. */
void lo_counters_restart(void)
{
    memset(slots, 0, used_slots() * sizeof slots[0]);
    atomic_store_explicit(&claimed, 0, memory_order_relaxed);
    own_slot = NULL;
}
