/* Groups of NCCL calls: what a thread has begun and not ended, and what it does meanwhile.
 *
 * A group belongs to the thread that began it; groups nest, and only the end of the outermost
 * does anything. The thread's area says how deep it is and since when, so that a group that was
 * left open shows in the trace of a thread that has ended, without anybody writing it down.
 */
#include "nccl.h"

#include <errno.h>
#include <string.h>

enum { SITES = 16, TOLD = 256 };

LO_THREAD_LOCAL struct lo_group lo_group;

static _Atomic uint32_t groups;
static _Atomic uint64_t told[TOLD];

void lo_groups_after_fork(void)
{
    atomic_store(&groups, 0);
    memset((void *)told, 0, sizeof told);
    memset(&lo_group, 0, sizeof lo_group);
}

/* ---- misuse ------------------------------------------------------------------------------ */

/* Once for each call site and group site: a mistake in a loop is one. */
static bool is_news(enum lo_group_misuse kind, enum lo_hook hook, uintptr_t pc)
{
    uint64_t key = (pc * 0x9e3779b97f4a7c15u ^ lo_group.pc) * 0xff51afd7ed558ccdu;
    key = (key ^ (uint64_t)kind << 32 ^ (uint64_t)hook) | 1;
    for (uint32_t probe = 0; probe < TOLD; probe++) {
        _Atomic uint64_t *slot = &told[(key / 2 + probe) % TOLD];
        uint64_t seen = 0;
        if (atomic_compare_exchange_strong(slot, &seen, key))
            return true;
        if (seen == key)
            return false;
    }
    return false;
}

static LO_COLD void misuse(struct lo_thread *thread, enum lo_group_misuse kind, enum lo_hook hook,
                           uintptr_t pc, lo_id stack)
{
    if (!is_news(kind, hook, pc))
        return;
    if (stack == 0)
        stack = lo_stack_here(thread);
    struct lo_group_misuse_record *record = lo_trace_reserve(thread, sizeof *record);
    if (record == NULL)
        return;
    *record = (struct lo_group_misuse_record){
        .record = {LO_GROUP_MISUSE, sizeof *record, thread->index},
        .kind = (uint16_t)kind,
        .call = (uint16_t)hook,
        .depth = lo_group.depth,
        .stack = stack,
        .begin_stack = lo_group.depth > 0 ? lo_group.stack : 0,
        .begin_pc = lo_group.depth > 0 ? lo_group.pc : 0,
        .begin_ns = lo_group.depth > 0 ? lo_group.since : 0,
        .time_ns = lo_now(),
    };
    lo_trace_commit(thread, sizeof *record);
}

/* NCCL itself may wait for the device, in whatever it is called for. */
void lo_group_sync(enum lo_hook hook, uintptr_t pc)
{
    if (LO_LIKELY(lo_group.depth == 0 || lo_group.inside > 0))
        return;
    struct lo_thread *thread = lo_enter();
    if (thread == NULL)
        return;
    int saved_errno = errno;
    lo_busy(thread);
    misuse(thread, LO_GROUP_SYNC, hook, pc, 0);
    lo_idle(thread);
    errno = saved_errno;
}

/* The process ends, and this thread is the one that ends it. */
void lo_group_at_exit(struct lo_thread *thread)
{
    if (lo_group.depth > 0 && lo_group.inside == 0)
        misuse(thread, LO_GROUP_EXIT, LO_HOOK_NONE, lo_group.pc, 0);
}

/* A call begins: whether it goes with what the group has already. NCCL merges making communicators
 * with nothing but the same ("Group Calls", NCCL User Guide). */
void lo_group_calls(const struct lo_nccl_call *call, uint16_t flags)
{
    if (lo_group.depth == 0 || lo_group.mixed || (flags & LO_CALL_GROUP_END) != 0)
        return;
    if ((flags & LO_CALL_CREATES) != 0) {
        lo_group.creates = call->hook;
        lo_group.creates_stack = lo_group.issued ? 0 : lo_stack_here(call->thread);
    } else if ((flags & LO_CALL_LAUNCH) != 0) {
        lo_group.issued = true;
    }
    lo_group.mixed = lo_group.issued && lo_group.creates != LO_HOOK_NONE;
    if (lo_group.mixed)
        misuse(call->thread, LO_GROUP_MIXED, lo_group.creates, call->pc, lo_group.creates_stack);
}

/* ---- begin and end ----------------------------------------------------------------------- */

/* Where the group begins. A guard's constructor begins those of all its users from one place, so
 * the frame that it has on the stack tells them apart; mostly it is one that was there before. */
static lo_id stack_of_begin(const struct lo_nccl_call *call)
{
    static LO_THREAD_LOCAL struct {
        uint64_t from;
        uintptr_t frame;
        lo_id stack;
    } sites[SITES];
    size_t at = ((call->from ^ call->frame) * 0x9e3779b97f4a7c15u >> 32) % SITES;
    if (sites[at].from == call->from && sites[at].frame == call->frame)
        return sites[at].stack;
    if (!lo_may_unwind_freely(call->pc))
        return call->total == NULL ? 0 : call->total->stack;
    sites[at].from = call->from;
    sites[at].frame = call->frame;
    return sites[at].stack = lo_stack_here(call->thread);
}

static void show(const struct lo_nccl_call *call)
{
    struct lo_thread_area *area = call->thread->area;
    area->group_stack = lo_group.stack;
    area->group_pc = lo_group.pc;
    area->group_since_ns = lo_group.since;
    area->group_depth = lo_group.depth;
}

void lo_group_begins(const struct lo_nccl_call *call)
{
    if (!lo_nccl_succeeded(call->status))
        return;
    if (lo_group.depth++ == 0) {
        lo_group.number = atomic_fetch_add(&groups, 1) + 1;
        lo_group.stack = stack_of_begin(call);
        lo_group.pc = call->pc;
        lo_group.since = call->start;
    }
    show(call);
}

/* An end that fails has ended its group all the same; one that has nothing to end fails. Where it
 * did not, the begin was out of our sight. */
void lo_group_ends(const struct lo_nccl_call *call)
{
    if (lo_group.depth == 0) {
        if (call->status != LO_NCCL_NOT_RETURNED && !lo_nccl_succeeded(call->status))
            misuse(call->thread, LO_GROUP_NOT_BEGUN, call->hook, call->pc, 0);
        return;
    }
    if (--lo_group.depth == 0) {
        for (uint32_t i = 0; i < lo_group.pending_count; i++) {
            const struct lo_pending *pending = &lo_group.pending[i];
            lo_communicator_made(pending->id, (uintptr_t)*pending->made);
        }
        lo_group.pending_count = 0;
        lo_group.sequenced = lo_group.issued = lo_group.mixed = false;
        lo_group.creates = LO_HOOK_NONE;
        lo_group.stack = 0;
        lo_group.pc = lo_group.since = 0;
    }
    show(call);
}

/* The call that makes communicators has returned. In a group NCCL writes the handle at once
 * (since 2.14; the variable need not be there any longer when the group ends) or at its end. */
void lo_group_made(const struct lo_nccl_call *call)
{
    for (uint32_t i = 0; call->status != LO_NCCL_NOT_RETURNED && i < call->to_make; i++) {
        lo_id id = call->first_made + i;
        if (!lo_nccl_succeeded(call->status))
            lo_communicator_ends(id, call->hook);
        else if (lo_group.depth == 0 || (i == 0 && (uintptr_t)*call->made != call->made_before))
            lo_communicator_made(id, (uintptr_t)call->made[i]);
        else if (lo_group.pending_count < LO_MAX_PENDING)
            lo_group.pending[lo_group.pending_count++] = (struct lo_pending){&call->made[i], id};
    }
}
