/* Calls that wait, with the locks that are held around them, and misuse of locks: recorded once for
 * each place and looked up ever after.
 */
#include "locks.h"
#include "python_frames.h"

#include <errno.h>
#include <string.h>

enum { MAX_HELD_TOLD = 64, CALLS_A_PLACE = 64 };

LO_COLD void lo_misuse(struct lo_thread *thread, enum lo_misuse kind, lo_id lock, uintptr_t pc,
                       lo_id holder)
{
    int saved_errno = errno;
    lo_busy(thread);
    lo_id stack = lo_stack_here(thread);
    lo_id other = 0;
    int index = lo_find_held(thread, lock);
    if (index >= 0) {
        other = lo_stack_of(thread, (uint32_t)index);
        pc = thread->area->held[index].pc;
    }
    lo_lock_record(thread, lock, stack);
    struct lo_misuse_record *record = lo_trace_reserve(thread, sizeof *record);
    if (record != NULL) {
        *record = (struct lo_misuse_record){
            .record = {LO_MISUSE, sizeof *record, thread->index},
            .kind = kind,
            .lock = lock,
            .stack = stack,
            .other_stack = other,
            .pc = pc,
            .holder = holder,
            .count = 1,
            .time_ns = lo_now(),
        };
        lo_trace_commit(thread, sizeof *record);
    }
    lo_idle(thread);
    errno = saved_errno;
}

/* ---- calls that wait --------------------------------------------------------------------- */

static struct lo_blocked_record *write_call(struct lo_thread *thread, enum lo_hook hook,
                                            uintptr_t object, lo_id own)
{
    uint32_t held = thread->depth;
    if (held > MAX_HELD_TOLD)
        held = MAX_HELD_TOLD;
    size_t size = sizeof(struct lo_blocked_record) + held * sizeof(struct lo_held_stack);
    lo_id stack = lo_stack_here(thread);
    for (uint32_t i = 0; i < held; i++)
        lo_lock_record(thread, thread->area->held[i].lock, lo_stack_of(thread, i));
    struct lo_blocked_record *record = lo_trace_reserve(thread, size);
    if (record == NULL)
        return NULL;
    memset(record, 0, size);
    record->record = (struct lo_record){LO_BLOCKED, (uint16_t)size, thread->index};
    record->call = (uint16_t)hook;
    record->held = (uint16_t)held;
    record->stack = stack;
    record->object = object;
    record->time_ns = lo_now();
    record->own = own;
    for (uint32_t i = 0; i < held; i++) {
        const struct lo_held_lock *lock = &thread->area->held[i];
        record->lock[i] = (struct lo_held_stack){
            lock->lock, lock->mode, lock->how, 0, lock->pc, lo_stack_of(thread, i), 0};
    }
    lo_trace_commit(thread, size);
    return record;
}

/* The interpreter's own waits are for the GIL or for one of its locks. With nothing else held they
 * are told as what they are, if at all; those for a lock of Python's also by the line that waits,
 * where that can be read. */
static bool is_interpreters_own(const struct lo_thread *thread, uintptr_t pc, lo_id own)
{
    if (own == 0 || !atomic_load(&lo_python_loaded) || !lo_in_python(pc))
        return false;
    if (lo_locks[own].kind == LO_KIND_PYTHON_LOCK && lo_python_minor() != 0)
        return false;
    return lo_holds_only(thread, thread->depth, 1u << LO_KIND_PYTHON_LOCK | 1u << LO_KIND_GIL);
}

/* The record of this call under these locks: the one there is, or a new one. NULL: of calls from
 * this place, under locks that come and go, enough are recorded. */
static struct lo_blocked_record *find_call(struct lo_thread *thread, enum lo_hook hook,
                                           uintptr_t object, uintptr_t pc, lo_id own)
{
    pc = lo_python_place(pc);
    uint64_t key = (lo_chain_hash(thread) ^ pc * 0xff51afd7ed558ccdu) + hook;
    struct lo_cached_call *cached = &thread->blocked[key % LO_CALL_CACHE];
    if (cached->key == key && cached->record != NULL)
        return cached->record;
    struct lo_place *place = lo_find_place(lo_place_key(hook, pc));
    uint32_t count = place == NULL ? 0 : atomic_load(&place->count);
    if (count < CALLS_A_PLACE && count < lo_place_allowance()) {
        *cached = (struct lo_cached_call){key, write_call(thread, hook, object, own)};
        lo_note_recorded(place);
    } else {
        *cached = (struct lo_cached_call){0, NULL};
    }
    return cached->record;
}

/* A call that may wait begins. It is recorded where something is held around it, and where it
 * launches or synchronises a device, which is a story with two sides. */
void lo_call_begin(struct lo_call *call, enum lo_hook hook, uintptr_t object, uintptr_t pc,
                   lo_id own)
{
    struct lo_thread *thread = lo_enter();
    call->thread = thread;
    call->record = NULL;
    if (thread == NULL)
        return;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    if (thread->calls > 0 && lo_frame_is_gone(thread, thread->call_frame, frame))
        thread->calls = 0;
    if (thread->calls++ > 0)
        return;
    thread->call_frame = frame;
    int saved_errno = errno;
    lo_busy(thread);
    call->start = lo_now();
    thread->area->wait_since_ns = call->start;
    thread->area->wait_object = object;
    thread->area->wait_call = (uint16_t)hook;
    lo_drop_stale(thread);
    /* Who waits for a lock of Python's gives the GIL up, at the latest inside of the call. */
    bool pythons = own != 0 && lo_locks[own].kind == LO_KIND_PYTHON_LOCK;
    bool gil = !pythons && lo_note_gil(thread, pc);
    bool under_locks = thread->depth > 0 && !is_interpreters_own(thread, pc, own);
    if (under_locks || (lo_hooks[hook].flags & (LO_CALL_DEVICE_SYNC | LO_CALL_LAUNCH)) != 0)
        call->record = find_call(thread, hook, object, pc, own);
    if (gil)
        lo_remove(thread, thread->depth - 1);
    lo_idle(thread);
    errno = saved_errno;
}

void lo_call_end(struct lo_call *call)
{
    struct lo_thread *thread = call->thread;
    if (thread == NULL || --thread->calls > 0)
        return;
    int saved_errno = errno;
    thread->area->wait_call = 0;
    thread->area->wait_object = 0;
    struct lo_blocked_record *record = call->record;
    if (record != NULL) {
        uint64_t waited = lo_now() - call->start;
        atomic_fetch_add_explicit(&record->count, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&record->total_ns, waited, memory_order_relaxed);
        atomic_store_explicit(&record->last_ns, call->start, memory_order_relaxed);
        if (waited > atomic_load_explicit(&record->longest_ns, memory_order_relaxed))
            atomic_store_explicit(&record->longest_ns, waited, memory_order_relaxed);
    }
    errno = saved_errno;
}
