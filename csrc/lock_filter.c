/* Which memory has locks in it: bits by cache lines and by pages, asked on every free(3).
 *
 * How many locks share a bit is counted: far apart lines and pages do, and the last lock of one
 * must not hide those of the other.
 */
#include "locks.h"

#include <assert.h>

enum { SATURATED = UINT16_MAX }; /* a count that is not known any more */

_Atomic uint64_t *lo_page_filter, *lo_line_filter;
static _Atomic uint16_t *line_counts, *page_counts;

bool lo_filter_setup(void)
{
    lo_line_filter = lo_map(LO_LINE_BITS / 8);
    line_counts = lo_map(LO_LINE_BITS * sizeof *line_counts);
    page_counts = lo_map(LO_PAGE_BITS * sizeof *page_counts);
    if (lo_line_filter != NULL && line_counts != NULL && page_counts != NULL)
        lo_page_filter = lo_map(LO_PAGE_BITS / 8);
    return lo_page_filter != NULL;
}

static inline void set_bit(_Atomic uint64_t *filter, uint64_t bit)
{
    if (!lo_filter_bit(filter, bit))
        atomic_fetch_or(&filter[bit / 64], (uint64_t)1 << bit % 64);
}

static void one_more(_Atomic uint64_t *filter, _Atomic uint16_t *counts, uint64_t bit)
{
    uint16_t now = atomic_load_explicit(&counts[bit], memory_order_relaxed);
    while (now != SATURATED && !atomic_compare_exchange_weak(&counts[bit], &now, now + 1))
        ;
    set_bit(filter, bit);
}

static void one_less(_Atomic uint64_t *filter, _Atomic uint16_t *counts, uint64_t bit)
{
    uint16_t now = atomic_load_explicit(&counts[bit], memory_order_relaxed);
    while (now != SATURATED && now != 0 &&
           !atomic_compare_exchange_weak(&counts[bit], &now, now - 1))
        ;
    if (now != 1)
        return;
    atomic_fetch_and(&filter[bit / 64], ~((uint64_t)1 << bit % 64));
    /* A lock that was taken for the first time at this moment has set a bit that is gone again. */
    if (atomic_load(&counts[bit]) != 0)
        set_bit(filter, bit);
}

void lo_filter_add(uintptr_t address)
{
    one_more(lo_line_filter, line_counts, lo_line_bit(address / LO_LINE));
    one_more(lo_page_filter, page_counts, lo_page_bit(address / LO_PAGE));
}

void lo_filter_remove(uintptr_t address)
{
    one_less(lo_line_filter, line_counts, lo_line_bit(address / LO_LINE));
    one_less(lo_page_filter, page_counts, lo_page_bit(address / LO_PAGE));
}

/* A page's lines lie in one word of the filter, the next page's in another. */
static_assert(LO_PAGE / LO_LINE == 64, "a page's lines are a word");

static inline _Atomic uint64_t *lines_of(uintptr_t page)
{
    return &lo_line_filter[lo_line_bit(page * 64) / 64];
}

bool lo_lines_may_have_locks(uintptr_t start, size_t size)
{
    uintptr_t first = start / LO_LINE, last = (start + size - 1) / LO_LINE;
    uint64_t lines = UINT64_MAX << first % 64;
    for (uintptr_t page = first / 64; page <= last / 64; page++) {
        if (page == last / 64)
            lines &= UINT64_MAX >> (63 - last % 64);
        if (atomic_load_explicit(lines_of(page), memory_order_relaxed) & lines)
            return true;
        lines = UINT64_MAX;
    }
    return false;
}
