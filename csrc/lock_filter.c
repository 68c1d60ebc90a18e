/* Which memory has locks in it: a bit for each cache line, asked on every free(3).
 *
 * A page's lines are one word, and neighbouring pages have neighbouring words: what has no locks is
 * passed by with one look, a large block in large steps. How many locks share a bit is counted: far
 * apart lines do, and the last lock of one must not hide those of the other.
 */
#include "locks.h"

#include <assert.h>

enum { SATURATED = UINT16_MAX }; /* a count that is not known any more */

static_assert(LO_PAGE / LO_LINE == 64, "a page's lines are a word");

_Atomic uint64_t *lo_filter;
atomic_bool lo_small_locks;
_Alignas(LO_PAGE) _Atomic uint16_t lo_stamps[LO_STAMPS];
static _Atomic uint16_t *counts;

bool lo_filter_setup(void)
{
    counts = lo_map((size_t)LO_FILTER_WORDS * 64 * sizeof *counts);
    if (counts != NULL)
        lo_filter = lo_map(LO_FILTER_WORDS * sizeof *lo_filter);
    return lo_filter != NULL;
}

static inline _Atomic uint16_t *count_of(uintptr_t line)
{
    return &counts[(lo_filter_word(line / 64) - lo_filter) * 64 + (ptrdiff_t)(line % 64)];
}

static inline void set_bit(uintptr_t line)
{
    if (!lo_line_has_locks(line))
        atomic_fetch_or(lo_filter_word(line / 64), (uint64_t)1 << line % 64);
}

void lo_filter_add(uintptr_t address)
{
    uintptr_t line = address / LO_LINE;
    _Atomic uint16_t *count = count_of(line);
    uint16_t now = atomic_load_explicit(count, memory_order_relaxed);
    while (now != SATURATED && !atomic_compare_exchange_weak(count, &now, now + 1))
        ;
    set_bit(line);
}

void lo_filter_remove(uintptr_t address)
{
    atomic_fetch_add_explicit(lo_stamp_of(address), 1, memory_order_relaxed);
    uintptr_t line = address / LO_LINE;
    _Atomic uint16_t *count = count_of(line);
    uint16_t now = atomic_load_explicit(count, memory_order_relaxed);
    while (now != SATURATED && now != 0 && !atomic_compare_exchange_weak(count, &now, now - 1))
        ;
    if (now != 1)
        return;
    atomic_fetch_and(lo_filter_word(line / 64), ~((uint64_t)1 << line % 64));
    /* A lock that was taken for the first time at this moment has set a bit that is gone again. */
    if (atomic_load(count) != 0)
        set_bit(line);
}

/* For blocks that go beyond a page. */
bool lo_pages_may_have_locks(uintptr_t start, size_t size)
{
    uintptr_t first = start / LO_LINE, last = (start + size - 1) / LO_LINE;
    uint64_t lines = UINT64_MAX << first % 64;
    for (uintptr_t page = first / 64; page <= last / 64; page++) {
        if (page == last / 64)
            lines &= UINT64_MAX >> (63 - last % 64);
        if (lo_page_lines(page) & lines)
            return true;
        lines = UINT64_MAX;
    }
    return false;
}
