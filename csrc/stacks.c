/* Stacks: unwound by the compiler's own unwinder, kept once each.
 *
 * libgcc's unwinder is linked into the shim and takes no lock that a program could hold: with
 * glibc 2.35 and newer it asks _dl_find_object, before that dl_iterate_phdr, whose lock is only
 * ever held while the list of objects changes.
 */
#include "locks.h"
#include "python_frames.h"

#include <dlfcn.h>
#include <string.h>
#include <unwind.h>

enum { TABLE = 1 << 16, MAX_STACKS = 50000, FREE_UNWINDS = 2000, OFTEN = 64, PLACE_BITS = 12 };

_Static_assert(MAX_STACKS <= UINT16_MAX, "lo_transition.stack has room for each");

/* Whether the unwinder calls dl_iterate_phdr, as far as the compiler says: see fork.c. */
#ifdef DLFO_STRUCT_HAS_EH_DBASE /* dlfcn.h of glibc 2.35 */
enum { USES_LOADER = 0 };
#else
enum { USES_LOADER = 1 };
#endif

/* hash in the upper half, number in the lower; 0 is empty */
static _Atomic uint64_t *table;
static atomic_uint stacks, unwinds;
static atomic_uchar unwinds_from[1 << PLACE_BITS]; /* by calls; they may share one */

void lo_stacks_setup(void)
{
    if (table == NULL)
        table = lo_map(TABLE * sizeof *table);
    lo_python_frames_begin();
}

void lo_stacks_after_fork(void)
{
    if (table != NULL)
        lo_clear((void *)table, TABLE * sizeof *table);
    lo_python_frames_after_fork();
    atomic_store(&stacks, 0);
    atomic_store(&unwinds, 0);
    memset((void *)unwinds_from, 0, sizeof unwinds_from);
}

/* For stacks that are good to have and make no record by themselves. An unwinding takes some 5 us:
 * two in a millisecond are about 1% of one core, on top of what the start may cost, and they are
 * for calls that were not unwound often. Locks that come and go all their lives from the same call
 * get one in eight milliseconds, 0.06%. */
bool lo_may_unwind_freely(uintptr_t pc)
{
    uint32_t done = atomic_load_explicit(&unwinds, memory_order_relaxed);
    atomic_uchar *often = &unwinds_from[pc * 0x9e3779b97f4a7c15u >> (64 - PLACE_BITS)];
    uint8_t here = atomic_load_explicit(often, memory_order_relaxed);
    if (done >= FREE_UNWINDS) {
        uint64_t ms = lo_trace == NULL ? 0 : (lo_now() - lo_trace->start_monotonic_ns) / 1000000;
        if (done >= FREE_UNWINDS + (here < OFTEN ? 2 * ms : ms / 8))
            return false;
    }
    atomic_store_explicit(often, here < OFTEN ? here + 1 : here, memory_order_relaxed);
    atomic_fetch_add_explicit(&unwinds, 1, memory_order_relaxed);
    return true;
}

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *argument)
{
    struct lo_frames *frames = argument;
    if (frames->skip > 0) {
        frames->skip--;
        return _URC_NO_REASON;
    }
    if (frames->count == LO_MAX_FRAMES) {
        frames->truncated = true;
        return _URC_END_OF_STACK;
    }
    uint64_t pc = (uint64_t)_Unwind_GetIP(context);
    if (pc == 0)
        return _URC_END_OF_STACK;
    /* libgcc's "CFA" here is the stack pointer in this frame at its call of the next. */
    frames->sp[frames->count] = (uintptr_t)_Unwind_GetCFA(context);
    frames->function[frames->count] = (uintptr_t)_Unwind_GetRegionStart(context);
    frames->pc[frames->count++] = pc;
    return _URC_NO_REASON;
}

static uint32_t shared_frames(const struct lo_key_stack *key, const struct lo_frames *frames)
{
    uint32_t shared = 0;
    while (shared < key->frames && shared < frames->count &&
           key->pc[key->frames - 1 - shared] == frames->pc[frames->count - 1 - shared])
        shared++;
    return shared;
}

static lo_id write_difference(struct lo_thread *thread, const struct lo_frames *frames, lo_id id,
                              lo_id base, uint32_t shared)
{
    uint32_t own = frames->count - shared;
    size_t size = sizeof(struct lo_stack_on_record) + own * sizeof(uint64_t);
    struct lo_stack_on_record *record = lo_trace_reserve(thread, size);
    if (record == NULL)
        return 0;
    record->record = (struct lo_record){LO_STACK_ON, (uint16_t)size, id};
    record->frames = own;
    record->truncated = frames->truncated;
    record->base = base;
    record->shared = shared;
    memcpy(record->pc, frames->pc, own * sizeof(uint64_t));
    lo_trace_commit(thread, size);
    return id;
}

static lo_id write_whole(struct lo_thread *thread, const struct lo_frames *frames, lo_id id)
{
    size_t size = sizeof(struct lo_stack_record) + frames->count * sizeof(uint64_t);
    struct lo_stack_record *record = lo_trace_reserve(thread, size);
    if (record == NULL)
        return 0;
    record->record = (struct lo_record){LO_STACK, (uint16_t)size, id};
    record->frames = frames->count;
    record->truncated = frames->truncated;
    memcpy(record->pc, frames->pc, frames->count * sizeof(uint64_t));
    lo_trace_commit(thread, size);
    struct lo_key_stack *key = &thread->keys[thread->next_key++ % LO_KEY_STACKS];
    key->id = id;
    key->frames = frames->count;
    memcpy(key->pc, frames->pc, frames->count * sizeof(uint64_t));
    return id;
}

/* Stacks are long and alike in their outer frames, and most of what a training loop's trace has:
 * of their bytes, six tenths are saved. */
static lo_id write_stack(struct lo_thread *thread, const struct lo_frames *frames, lo_id id)
{
    const struct lo_key_stack *best = NULL;
    uint32_t most = 0;
    for (uint32_t i = 0; i < LO_KEY_STACKS; i++) {
        uint32_t shared = shared_frames(&thread->keys[i], frames);
        if (shared > most) {
            most = shared;
            best = &thread->keys[i];
        }
    }
    lo_id written = best != NULL && most * 2 >= frames->count
                        ? write_difference(thread, frames, id, best->id, most)
                        : write_whole(thread, frames, id);
    if (written != 0)
        lo_count(LO_STACKS_SEEN, 1);
    return written;
}

/* The number of a stack: a new one is written. */
static lo_id keep(struct lo_thread *thread, const struct lo_frames *frames,
                  const struct lo_python_frames *python)
{
    uint64_t hash = 0x9e3779b97f4a7c15u ^ lo_python_hash(python);
    for (uint32_t i = 0; i < frames->count; i++)
        hash = (hash ^ frames->pc[i]) * 0xff51afd7ed558ccdu, hash ^= hash >> 32;
    uint32_t tag = (uint32_t)(hash >> 32) | 1;
    for (uint32_t probe = 0; probe < 64; probe++) {
        _Atomic uint64_t *slot = &table[(hash + probe) % TABLE];
        uint64_t seen = atomic_load_explicit(slot, memory_order_acquire);
        if (seen == 0) {
            lo_id id = atomic_fetch_add(&stacks, 1) + 1;
            if (id > MAX_STACKS)
                break;
            lo_python_write(thread, python, id);
            if (write_stack(thread, frames, id) == 0)
                return 0;
            uint64_t mine = (uint64_t)tag << 32 | id;
            if (atomic_compare_exchange_strong(slot, &seen, mine))
                return id;
        }
        if ((uint32_t)(seen >> 32) == tag)
            return (lo_id)seen;
    }
    lo_count(LO_STACKS_DROPPED, 1);
    return 0;
}

LO_COLD lo_id lo_stack_here(struct lo_thread *thread)
{
    if (table == NULL || (USES_LOADER && !lo_loader_enter()))
        return 0;
    struct lo_frames frames = {0};
    frames.skip = 1; /* this function's own */
    _Unwind_Backtrace(note_frame, &frames);
    if (USES_LOADER)
        lo_loader_leave();
    if (frames.count == 0)
        return 0;
    lo_frames_seen(thread, &frames);
    struct lo_python_frames python;
    lo_python_walk(&python);
    if (python.count > 0) /* they take three times as long as the unwinding */
        atomic_fetch_add_explicit(&unwinds, 3, memory_order_relaxed);
    return keep(thread, &frames, &python);
}

/* Of a call in Python's interpreter: the call and the functions of Python, which is a tenth of the
 * work. 0: it is for none, or they cannot be read. */
LO_COLD lo_id lo_stack_of_python(struct lo_thread *thread, uintptr_t pc)
{
    struct lo_python_frames python;
    python.count = 0;
    if (table != NULL && lo_in_python(pc))
        lo_python_walk(&python);
    if (python.count == 0)
        return 0;
    struct lo_frames frames = {0};
    frames.count = 1;
    frames.pc[0] = pc;
    return keep(thread, &frames, &python);
}
