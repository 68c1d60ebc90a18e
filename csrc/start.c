/* The shim's life: loaded, forked, unloaded.
 *
 * The constructor runs after those of the libraries that the shim needs and mostly before all
 * others; hooks called earlier record nothing. The destructor runs when the process exits
 * (exit(3)), after the program's own atexit handlers and before libc's. What is locked later is
 * still recorded: the file is there until the last instruction.
 */
#include "shim.h"

#include <errno.h>
#include <string.h>

static void write_names(struct lo_thread *thread)
{
    static const struct {
        enum lo_hook hook;
        const char *name;
        uint16_t waits;
        uint32_t flags;
    } names[] = {
#define LIBC(name, version) {LO_HOOK_##name, #name, LO_WAITS_NOT, 0},
#define IMPORT(name, waits, flags, result, params, args, object)                                   \
    {LO_HOOK_##name, #name, (waits), (flags)},
#define IMPORT_OWN(name, waits, flags) {LO_HOOK_##name, #name, (waits), (flags)},
#include "hooks.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint16_t waits = names[i].waits;
        if (waits == LO_WAITS_NOT) {
            if (strstr(names[i].name, "join") != NULL)
                waits = LO_WAITS_THREAD;
            else if (strncmp(names[i].name, "pthread_cond_", 13) == 0)
                waits = LO_WAITS_CONDITION;
            else if (strncmp(names[i].name, "sem_", 4) == 0)
                waits = LO_WAITS_SEMAPHORE;
            else if (strncmp(names[i].name, "wait", 4) == 0)
                waits = LO_WAITS_PROCESS;
        }
        uint32_t flags = names[i].flags;
        if (strstr(names[i].name, "timed") != NULL || strstr(names[i].name, "clock") != NULL)
            flags |= LO_CALL_TIMED;
        /* Only what can appear in a record of a call that waits. */
        if (waits == LO_WAITS_NOT && flags == 0)
            continue;
        size_t length = strlen(names[i].name);
        size_t size = (sizeof(struct lo_name_record) + length + 7) & ~(size_t)7;
        struct lo_name_record *record = lo_trace_reserve(thread, size);
        if (record == NULL)
            return;
        memset(record, 0, size);
        record->record = (struct lo_record){LO_NAME, (uint16_t)size, (uint32_t)names[i].hook};
        record->name_size = (uint16_t)length;
        record->waits_for = waits;
        record->flags = flags;
        memcpy(record + 1, names[i].name, length);
        lo_trace_commit(thread, size);
    }
}

void lo_begin_trace(void)
{
    struct lo_thread *thread = lo_enter();
    if (thread == NULL)
        return;
    thread->busy++;
    write_names(thread);
    thread->busy--;
}

__attribute__((constructor)) static void start(void)
{
    lo_resolve_all();
    lo_thread_setup();
    lo_thread_hooks_setup();
    if (!lo_trace_open(false))
        return;
    lo_locks_setup();
    lo_stacks_setup();
    lo_order_setup();
    lo_begin_trace();
    lo_objects_changed();
}

__attribute__((destructor)) static void stop(void)
{
    struct lo_thread *thread = lo_trace != NULL ? lo_enter() : NULL;
    if (thread == NULL)
        return;
    int saved_errno = errno;
    thread->busy++;
    for (uint32_t i = 0; i < LO_ID_CACHE; i++)
        lo_lock_flush(&thread->locks[i]);
    lo_locks_write_stats(thread);
    atomic_store(&lo_trace->end_monotonic_ns, lo_now());
    atomic_store(&lo_trace->state, LO_EXITED);
    thread->busy--;
    errno = saved_errno;
}
