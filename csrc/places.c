/* How often something was recorded from one place: the calls that took both locks of an edge, or a
 * call that waits. Programs make locks by the thousand, hold them for a moment and free them; what
 * the first few have shown, the others would only repeat.
 */
#include "locks.h"

#include <string.h>

enum { PLACES = 1 << 16, MAX_PROBES = 64, FOLD_FROM = 2048, FOLD_MORE_FROM = 6144 };

static struct lo_place *places;
static _Atomic uint32_t recorded;
atomic_bool lo_folding;

bool lo_places_setup(void)
{
    if (places == NULL)
        places = lo_map(PLACES * sizeof *places);
    return places != NULL;
}

void lo_places_after_fork(void)
{
    if (places != NULL)
        lo_clear((void *)places, PLACES * sizeof *places);
    atomic_store(&recorded, 0);
    atomic_store(&lo_folding, false);
}

void lo_note_recorded(struct lo_place *place)
{
    if (atomic_fetch_add(&recorded, 1) + 1 == FOLD_FROM)
        atomic_store(&lo_folding, true);
    if (place != NULL)
        atomic_fetch_add(&place->count, 1);
}

struct lo_place *lo_find_place(uint64_t key)
{
    for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
        struct lo_place *place = &places[(key + probe) % PLACES];
        uint64_t seen = atomic_load_explicit(&place->key, memory_order_relaxed);
        if (seen == key ||
            (seen == 0 && (atomic_compare_exchange_strong(&place->key, &seen, key) || seen == key)))
            return place;
    }
    return NULL;
}

/* How many records one place may have: no limit at first, fewer as the trace grows. */
uint32_t lo_place_allowance(void)
{
    uint32_t all = atomic_load_explicit(&recorded, memory_order_relaxed);
    return all < FOLD_FROM ? UINT32_MAX : all < FOLD_MORE_FROM ? 32 : 4;
}

uint64_t lo_place_key(uint64_t a, uint64_t b)
{
    uint64_t key = (a ^ b * 0xff51afd7ed558ccdu) * 0x9e3779b97f4a7c15u;
    return (key ^ key >> 32) | 1;
}
