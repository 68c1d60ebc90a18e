/* The shim's life: loaded, forked, unloaded.
 *
 * The constructor runs after those of the libraries that the shim needs and mostly before all
 * others; hooks called earlier record nothing. The destructor runs when the process exits
 * (exit(3)), after the program's own atexit handlers and before libc's. What is locked later is
 * still recorded: the file is there until the last instruction.
 */
#include "locks.h"

#include <errno.h>
#include <string.h>

static void write_names(struct lo_thread *thread)
{
    for (size_t i = 0; i < LO_HOOK_COUNT; i++) {
        const struct lo_hook_facts *hook = &lo_hooks[i];
        /* Only what can appear in a record of a call that waits. */
        if (hook->waits == LO_WAITS_NOT && hook->flags == 0)
            continue;
        size_t length = strlen(hook->name);
        size_t size = (sizeof(struct lo_name_record) + length + 7) & ~(size_t)7;
        struct lo_name_record *record = lo_trace_reserve(thread, size);
        if (record == NULL)
            return;
        memset(record, 0, size);
        record->record = (struct lo_record){LO_NAME, (uint16_t)size, (uint32_t)i};
        record->name_size = (uint16_t)length;
        record->waits_for = hook->waits;
        record->flags = hook->flags;
        memcpy(record + 1, hook->name, length);
        lo_trace_commit(thread, size);
    }
}

void lo_begin_trace(void)
{
    struct lo_thread *thread = lo_enter();
    if (thread == NULL)
        return;
    lo_busy(thread);
    write_names(thread);
    lo_idle(thread);
}

__attribute__((constructor)) static void start(void)
{
    lo_resolve_all();
    lo_thread_setup();
    lo_thread_hooks_setup();
    lo_fork_setup();
    lo_thinning_setup();
    lo_inner_setup();
    lo_memory_setup();
    if (!lo_trace_open(false))
        return;
    lo_locks_setup();
    lo_stacks_setup();
    lo_order_setup();
    if (lo_locks == NULL)
        lo_count(LO_LOCKS_DROPPED, 1); /* no memory for any */
    lo_nccl_setup();
    lo_begin_trace();
    lo_objects_changed();
}

__attribute__((destructor)) static void stop(void)
{
    struct lo_thread *thread = lo_trace != NULL ? lo_enter() : NULL;
    if (thread == NULL)
        return;
    int saved_errno = errno;
    lo_busy(thread);
    lo_group_at_exit(thread);
    lo_locks_flush(thread);
    lo_locks_write_stats(thread);
    atomic_store(&lo_trace->end_monotonic_ns, lo_now());
    atomic_store(&lo_trace->state, LO_EXITED);
    lo_idle(thread);
    errno = saved_errno;
}
