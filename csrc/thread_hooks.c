/* Threads and processes: creation, join, fork. */
#include "shim.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { STARTS = 256, MAX_OTHERS = 64 };

/* What a new thread needs to know before its function runs. There is no malloc in a hook, so
 * there are a few places; a thread that finds none starts without its creator's name. */
static struct start {
    _Atomic bool used;
    void *(*function)(void *);
    void *argument;
    uint32_t creator;
    lo_id stack;
    size_t stack_size;
} starts[STARTS];

static size_t default_stack;

static void *start_thread(void *argument)
{
    struct start start;
    struct start *place = argument;
    memcpy(&start, place, sizeof start);
    atomic_store(&place->used, false);
    lo_stack_size = start.stack_size;
    struct lo_thread *thread = lo_enter();
    if (thread != NULL) {
        thread->area->creator = start.creator;
        thread->area->creation_stack = start.stack;
    }
    return start.function(start.argument);
}

static size_t stack_size_of(const pthread_attr_t *attributes)
{
    size_t size = 0;
    if (attributes != NULL && pthread_attr_getstacksize(attributes, &size) == 0)
        return size;
    return default_stack;
}

LO_EXPORT int pthread_create(pthread_t *made, const pthread_attr_t *attributes,
                             void *(*function)(void *), void *argument)
{
    LO_PTHREAD_REAL(pthread_create);
    lo_objects_changed();
    struct lo_thread *thread = lo_enter();
    struct start *place = NULL;
    for (size_t i = 0; thread != NULL && i < STARTS && place == NULL; i++)
        if (!atomic_load_explicit(&starts[i].used, memory_order_relaxed) &&
            !atomic_exchange(&starts[i].used, true))
            place = &starts[i];
    if (place == NULL)
        return real(made, attributes, function, argument);
    int saved_errno = errno;
    thread->busy++;
    place->function = function;
    place->argument = argument;
    place->creator = thread->index;
    place->stack = lo_stack_here(thread);
    place->stack_size = stack_size_of(attributes);
    thread->busy--;
    errno = saved_errno;
    int status = real(made, attributes, start_thread, place);
    if (status != 0)
        atomic_store(&place->used, false);
    return status;
}

/* pthread_join is a cancellation point: see cond_hooks.c. */
#define JOIN(name, params, args)                                                                   \
    LO_EXPORT int name params                                                                      \
    {                                                                                              \
        LO_PTHREAD_REAL(name);                                                                     \
        struct lo_call call __attribute__((cleanup(lo_call_end)));                                 \
        lo_call_begin(&call, LO_HOOK_##name, (uintptr_t)thread, LO_CALLER(), 0);                   \
        return real args;                                                                          \
    }

JOIN(pthread_join, (pthread_t thread, void **result), (thread, result))
JOIN(pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *deadline),
     (thread, result, deadline))
JOIN(pthread_clockjoin_np,
     (pthread_t thread, void **result, clockid_t clock, const struct timespec *deadline),
     (thread, result, clock, deadline))

/* ---- children ---------------------------------------------------------------------------- */

/* Waiting for a child is waiting, unless it is only asked after (WNOHANG). */
#define WAIT_FOR_CHILD(name, result, params, args, options)                                        \
    LO_EXPORT result name params;                                                                  \
    LO_EXPORT result name params                                                                   \
    {                                                                                              \
        __typeof__(&name) real = LO_REAL(name);                                                    \
        if (LO_UNLIKELY(real == NULL))                                                             \
            return (errno = ENOSYS, -1);                                                           \
        if ((options) & WNOHANG)                                                                   \
            return real args;                                                                      \
        struct lo_call call __attribute__((cleanup(lo_call_end)));                                 \
        lo_call_begin(&call, LO_HOOK_##name, 0, LO_CALLER(), 0);                                   \
        return real args;                                                                          \
    }

WAIT_FOR_CHILD(wait, pid_t, (int *status), (status), 0)
WAIT_FOR_CHILD(waitpid, pid_t, (pid_t child, int *status, int options), (child, status, options),
               options)
WAIT_FOR_CHILD(wait4, pid_t, (pid_t child, int *status, int options, struct rusage *usage),
               (child, status, options, usage), options)
WAIT_FOR_CHILD(waitid, int, (idtype_t kind, id_t id, siginfo_t *info, int options),
               (kind, id, info, options), options)

/* ---- fork -------------------------------------------------------------------------------- */

/* Locks that other threads held at the fork: in the child nobody will ever release them. It is
 * told in the child's trace; that of a child which went on to exec shows that it did no harm. */
static struct lo_held_lock others[MAX_OTHERS];
static uint32_t other_count;

static void before_fork(void)
{
    other_count = 0;
    lo_threads_before_fork();
    struct lo_thread *thread = lo_enter();
    if (thread != NULL && lo_trace != NULL)
        other_count = lo_threads_copy_held(others, MAX_OTHERS, thread->index);
}

static void report_others(void)
{
    struct lo_thread *thread = lo_enter();
    for (uint32_t i = 0; thread != NULL && i < other_count; i++) {
        const struct lo_lock *lock = &lo_locks[others[i].lock];
        if (others[i].lock != 0 && lo_is_plain(lock) && lo_alive_at(lock) != 0)
            lo_misuse(thread, LO_FORK_HELD, others[i].lock, others[i].pc, 0);
    }
}

static void in_child(void)
{
    lo_threads_after_fork();
    lo_objects_after_fork();
    report_others();
}

void lo_thread_hooks_setup(void)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &default_stack);
        pthread_attr_destroy(&attributes);
    }
    pthread_atfork(before_fork, NULL, in_child);
}
