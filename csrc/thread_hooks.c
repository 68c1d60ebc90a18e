/* Threads and processes: creation, join, wait. */
#include "locks.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { STARTS = 256 };

/* What a new thread needs to know before its function runs. There is no malloc in a hook, so
 * there are a few places; a thread that finds none starts without its creator's name. */
static struct start {
    _Atomic bool used;
    void *(*function)(void *);
    thrd_start_t c11_function; /* or this */
    void *argument;
    uint32_t creator;
    lo_id stack;
    uint64_t time;
    size_t stack_size;
} starts[STARTS];

static size_t default_stack;

/* In a forked child: the threads that they were for are the parent's. */
void lo_starts_forget(void)
{
    for (size_t i = 0; i < STARTS; i++)
        atomic_store(&starts[i].used, false);
}

/* The first thing in a new thread: what it was told, and who made it. */
static struct start begin(struct start *place)
{
    struct start start;
    memcpy(&start, place, sizeof start);
    atomic_store(&place->used, false);
    lo_stack_size = start.stack_size;
    struct lo_thread *thread = lo_enter();
    if (thread != NULL) {
        thread->area->creator = start.creator;
        thread->area->creation_stack = start.stack;
        thread->area->created_ns = start.time;
    }
    return start;
}

static void *start_thread(void *argument)
{
    struct start start = begin(argument);
    return start.function(start.argument);
}

static int start_c11_thread(void *argument)
{
    struct start start = begin(argument);
    return start.c11_function(start.argument);
}

static size_t stack_size_of(const pthread_attr_t *attributes)
{
    size_t size = 0;
    if (attributes != NULL && pthread_attr_getstacksize(attributes, &size) == 0)
        return size;
    return default_stack;
}

/* What the new thread is told, NULL where there is no room for it. */
static struct start *prepare(void *argument, size_t stack)
{
    lo_objects_changed();
    struct lo_thread *thread = lo_enter();
    struct start *place = NULL;
    for (size_t i = 0; thread != NULL && i < STARTS && place == NULL; i++)
        if (!atomic_load_explicit(&starts[i].used, memory_order_relaxed) &&
            !atomic_exchange(&starts[i].used, true))
            place = &starts[i];
    if (place == NULL)
        return NULL;
    int saved_errno = errno;
    lo_busy(thread);
    place->argument = argument;
    place->creator = thread->index;
    place->stack = lo_stack_here(thread);
    place->time = lo_now();
    place->stack_size = stack;
    lo_idle(thread);
    errno = saved_errno;
    return place;
}

LO_EXPORT int pthread_create(pthread_t *made, const pthread_attr_t *attributes,
                             void *(*function)(void *), void *argument)
{
    LO_PTHREAD_REAL(pthread_create);
    struct start *place = prepare(argument, stack_size_of(attributes));
    if (place == NULL)
        return real(made, attributes, function, argument);
    place->function = function;
    int status = real(made, attributes, start_thread, place);
    if (status != 0)
        atomic_store(&place->used, false);
    return status;
}

int lo_wrap_thrd_create(thrd_t *made, thrd_start_t function, void *argument);
int lo_wrap_thrd_create(thrd_t *made, thrd_start_t function, void *argument)
{
    int (*real)(thrd_t *, thrd_start_t, void *) = LO_REAL(thrd_create);
    struct start *place = prepare(argument, default_stack);
    if (place == NULL)
        return real(made, function, argument);
    place->c11_function = function;
    int status = real(made, start_c11_thread, place);
    if (status != thrd_success)
        atomic_store(&place->used, false);
    return status;
}

int lo_wrap_thrd_join(thrd_t thread, int *result);
int lo_wrap_thrd_join(thrd_t thread, int *result)
{
    int (*real)(thrd_t, int *) = LO_REAL(thrd_join);
    struct lo_call call __attribute__((cleanup(lo_call_end)));
    lo_call_begin(&call, LO_HOOK_thrd_join, (uintptr_t)thread, LO_CALLER(), 0);
    return real(thread, result);
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

void lo_thread_hooks_setup(void)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &default_stack);
        pthread_attr_destroy(&attributes);
    }
}
