/* Tokens: a sequence of operations in few words, as LZ77 does it (Ziv, Lempel 1977), but as they
 * come and with nothing held back.
 *
 * A token is a symbol and how often it comes, or a copy: what stood so far back comes again. Copies
 * are predictions. While the last one holds, its length is counted up, one store an operation, so
 * that a process that is killed leaves what it had; a training loop is one copy that goes on for
 * ever. Where it breaks, the copy that comes next begins at the place in the window that has most
 * in common with what came just now, ahead of others the latest.
 */
#include "nccl.h"

enum {
    MASK = LO_WINDOW - 1,
    WINDOW_BITS = 13,
    MAX_CANDIDATES = 32,
    KEPT = 8, /* symbols of a context, the last one included */
    MAX_CONTEXT = 512,
    MAX_CHANGES = 32,
    LARGE_TOKENS = 512, /* the largest chunk but LO_MOST_TOKENS */
};
_Static_assert(1 << WINDOW_BITS == LO_WINDOW, "a power of two");
/* Of a process's sequences, and of one of them: launches of several threads repeat nothing, and
 * must not take the room of others. */
static const uint64_t max_bytes = (uint64_t)8 << 20, max_bytes_of_one = (uint64_t)4 << 20;

static _Atomic uint64_t bytes;

void lo_tokens_after_fork(void)
{
    atomic_store(&bytes, 0);
}

/* ---- where it goes ----------------------------------------------------------------------- */

static bool new_chunk(struct lo_thread *thread, struct lo_sequence *of)
{
    uint16_t capacity = LO_FIRST_TOKENS;
    if (of->chunk != NULL)
        capacity = of->chunk->capacity >= LARGE_TOKENS ? LO_MOST_TOKENS : of->chunk->capacity * 2;
    struct lo_sequence_record *chunk = NULL;
    size_t size = sizeof *chunk + capacity * sizeof *chunk->token;
    of->bytes += size;
    if (of->bytes <= max_bytes_of_one && atomic_fetch_add(&bytes, size) + size <= max_bytes)
        chunk = lo_trace_reserve(thread, size);
    if (chunk == NULL)
        return false;
    chunk->record = (struct lo_record){LO_NCCL_SEQUENCE, (uint16_t)size, of->communicator};
    chunk->first = of->total;
    chunk->kind = (uint16_t)of->kind;
    chunk->capacity = capacity;
    atomic_store(&chunk->used, 0);
    lo_trace_commit(thread, size);
    of->chunk = chunk;
    return true;
}

static void new_token(struct lo_thread *thread, struct lo_sequence *of, uint32_t what)
{
    uint32_t used = of->chunk == NULL ? 0 : atomic_load(&of->chunk->used);
    if (of->chunk == NULL || used == of->chunk->capacity) {
        of->ended = !new_chunk(thread, of);
        used = 0;
    }
    if (of->ended) {
        lo_count(LO_NCCL_UNSEQUENCED, 1);
        return;
    }
    of->token = &of->chunk->token[used];
    of->token->what = what;
    atomic_store_explicit(&of->token->length, 1, memory_order_relaxed);
    atomic_store_explicit(&of->chunk->used, used + 1, memory_order_release);
}

/* ---- where it comes from ----------------------------------------------------------------- */

static uint16_t at(const struct lo_sequence *in, uint64_t position)
{
    return in->window[position & MASK];
}

static uint32_t pair(uint32_t before, uint32_t symbol)
{
    return (before << 16 | symbol) * 0x9e3779b1u >> (32 - WINDOW_BITS);
}

/* Of the last eight symbols: older ones are shifted out. */
static uint64_t next_context(uint64_t context, uint32_t symbol)
{
    return (context << 8) + symbol * 0x9e3779b97f4a7c15u;
}

static uint32_t hash_of(uint64_t context)
{
    return (uint32_t)((context ^ context >> 32) * 0xff51afd7ed558ccdu >> (64 - WINDOW_BITS));
}

static void note(struct lo_places *in, uint32_t hash, uint64_t position)
{
    in->chain[position & MASK] = in->head[hash];
    in->head[hash] = (uint32_t)position;
}

/* While a copy goes on, nobody asks: this is made up for when it breaks. */
static void index_window(struct lo_sequence *of)
{
    uint64_t last = of->total - 1, from = of->indexed + 1;
    if (last >= LO_WINDOW && from < last - LO_WINDOW + 2)
        from = last - LO_WINDOW + 2;
    for (; from <= last; from++) {
        uint16_t symbol = at(of, from);
        of->context = next_context(of->context, symbol);
        note(&of->pairs, pair(at(of, from - 1), symbol), from);
        note(&of->contexts, hash_of(of->context), from);
        of->latest[symbol % (LO_WINDOW / 2)] = (uint32_t)from;
    }
    of->indexed = last;
}

/* How many symbols before the one that is added are those before the one *distance* back; all that
 * matter, where so many are that changed. More would find what is longest ago: of two steps that
 * are the same, the one that no interruption came before. */
static uint32_t common(const struct lo_sequence *in, uint32_t distance)
{
    uint32_t length = 0, changes = 0;
    for (uint64_t n = in->total - 1; length < MAX_CONTEXT; n--, length++) {
        if (n <= distance || in->total - n + distance >= LO_WINDOW ||
            at(in, n) != at(in, n - distance))
            break;
        changes += length > 0 && at(in, n) != at(in, n + 1);
        if (changes == MAX_CHANGES)
            return MAX_CONTEXT;
    }
    return length;
}

/* Of positions, the lower halves are kept: which may be one that has long gone. */
static bool has(const struct lo_sequence *in, uint32_t distance, uint32_t symbol)
{
    return distance > 0 && distance < LO_WINDOW && distance < in->total &&
           at(in, in->total - distance) == symbol;
}

/* How many symbols before the one that is added are the same as it. */
static uint32_t equal_before(const struct lo_sequence *in, uint32_t symbol)
{
    uint32_t length = 0;
    while (length < MAX_CONTEXT && length + 1 < in->total &&
           at(in, in->total - 1 - length) == symbol)
        length++;
    return length;
}

struct candidate {
    uint32_t distance, common;
};

/* At least so many symbols before must be the same: two contexts may share a hash. Those of another
 * context do not count as candidates, or a row of them would hide what is further back. */
static void choose(const struct lo_sequence *of, const struct lo_places *from, uint32_t hash,
                   uint32_t symbol, uint32_t least, struct candidate *best)
{
    uint32_t now = (uint32_t)of->total, before = 0, position = from->head[hash];
    for (uint32_t found = 0; found < MAX_CANDIDATES && best->common < MAX_CONTEXT;) {
        uint32_t distance = now - position;
        if (distance <= before || distance >= LO_WINDOW || distance >= of->total)
            return;
        before = distance;
        uint32_t length = has(of, distance, symbol) ? common(of, distance) : 0;
        found += length >= least;
        if (length >= least && length > best->common)
            *best = (struct candidate){distance, length};
        position = from->chain[position & MASK];
    }
}

/* 0: the symbol is not in the window. In a row of equal ones, of which other rows tell no more
 * than that they were such, it goes on with these. */
static uint32_t find_copy(const struct lo_sequence *of, uint32_t symbol)
{
    struct candidate best = {0};
    choose(of, &of->contexts, hash_of(next_context(of->context, symbol)), symbol, KEPT - 1, &best);
    if (best.common == 0)
        choose(of, &of->pairs, pair(at(of, of->total - 1), symbol), symbol, 1, &best);
    uint32_t equal = equal_before(of, symbol);
    if (equal > 0 && best.common <= equal)
        return 1;
    uint32_t latest = (uint32_t)of->total - of->latest[symbol % (LO_WINDOW / 2)];
    return best.common == 0 && has(of, latest, symbol) ? latest : best.distance;
}

static LO_COLD void add_unforeseen(struct lo_thread *thread, struct lo_sequence *to,
                                   uint32_t symbol)
{
    index_window(to);
    to->distance = find_copy(to, symbol);
    to->window[to->total & MASK] = (uint16_t)symbol;
    new_token(thread, to, to->distance > 0 ? LO_TOKEN_COPY | to->distance : symbol);
}

void lo_tokens_add(struct lo_thread *thread, struct lo_sequence *to, uint32_t symbol)
{
    if (LO_UNLIKELY(to->ended)) {
        lo_count(LO_NCCL_UNSEQUENCED, 1);
        return;
    }
    uint64_t now = ++to->total;
    struct lo_token *token = to->token;
    bool foreseen = token != NULL && (to->distance > 0 ? at(to, now - to->distance) == symbol
                                                       : token->what == symbol);
    uint32_t length = foreseen ? atomic_load_explicit(&token->length, memory_order_relaxed) + 1 : 0;
    if (LO_LIKELY(length != 0)) {
        to->window[now & MASK] = (uint16_t)symbol;
        atomic_store_explicit(&token->length, length, memory_order_relaxed);
    } else {
        add_unforeseen(thread, to, symbol);
    }
}
