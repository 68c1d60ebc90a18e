/* fork(2): the child is one thread, which goes on with what the parent's thread held, in a trace
 * of its own.
 *
 * The child may be a copy of any moment of the parent's other threads. What they were changing is
 * put back; ld.so's locks that they held stay locked for ever. So the parent's thread waits until
 * nobody is in there on behalf of the shim, and the child does not go there before the program
 * itself does.
 */
#include "locks.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

static const uint64_t patience_ns = 200 * 1000 * 1000;

static _Atomic uint32_t loader_users, forks;
static _Atomic bool left_alone;

/* Before dl_iterate_phdr(3), which the unwinder of older compilers calls, too. False: not now. */
bool lo_loader_enter(void)
{
    atomic_fetch_add(&loader_users, 1);
    if (LO_LIKELY(atomic_load(&forks) == 0))
        return true;
    atomic_fetch_sub(&loader_users, 1);
    return false;
}

void lo_loader_leave(void)
{
    atomic_fetch_sub(&loader_users, 1);
}

/* Till a forked child calls dlopen(3), which hangs by itself or finds the locks free. */
bool lo_loader_may_be_locked(void)
{
    return atomic_load_explicit(&left_alone, memory_order_relaxed);
}

void lo_loader_is_free(void)
{
    atomic_store_explicit(&left_alone, false, memory_order_relaxed);
}

/* What the area holds is copied before: the child shares it with the parent, which goes on. */
static void before_fork(void)
{
    if (lo_trace == NULL)
        return;
    (void)lo_enter();
    int saved_errno = errno;
    atomic_fetch_add(&forks, 1);
    uint64_t start = lo_now();
    while (atomic_load(&loader_users) != 0 && lo_now() - start < patience_ns)
        sched_yield();
    struct lo_thread *thread = lo_self;
    if (thread != NULL) {
        thread->fork_depth = thread->depth;
        memcpy(thread->at_fork, thread->area->held, thread->depth * sizeof *thread->at_fork);
        thread->others = lo_threads_copy_held(thread->held_by_others, LO_MAX_OTHERS, thread->index);
    }
    errno = saved_errno;
}

static void in_parent(void)
{
    if (lo_trace != NULL)
        atomic_fetch_sub(&forks, 1);
}

/* Same objects, same addresses: what the parent's trace says of them. */
static void copy_modules(struct lo_thread *thread, const struct lo_header *from)
{
    uint64_t end = atomic_load(&from->allocated);
    for (uint64_t at = LO_PAGE; at + LO_PAGE <= end;) {
        const struct lo_block *block = (const struct lo_block *)((const char *)from + at);
        if (atomic_load(&block->magic) != LO_BLOCK_MAGIC || block->pages == 0) {
            at += LO_PAGE;
            continue;
        }
        const char *next = (const char *)(block + 1);
        const char *last = (const char *)block + atomic_load(&block->used);
        while (block->kind == LO_BLOCK_RECORDS && next < last) {
            const struct lo_record *record = (const struct lo_record *)next;
            if (record->size < sizeof *record)
                break;
            void *copy = record->type == LO_MODULE ? lo_trace_reserve(thread, record->size) : NULL;
            if (copy != NULL) {
                memcpy(copy, record, record->size);
                lo_trace_commit(thread, record->size);
            }
            next += record->size;
        }
        at += (uint64_t)block->pages * LO_PAGE;
    }
}

static void take_over(struct lo_thread *thread, const struct lo_thread *former)
{
    /* What glibc says of a mutex's owner stays the parent's: the child's id is another. */
    thread->former_tid = former->tid;
    lo_thinning_goes_on(thread, former);
    for (uint32_t i = 0; i < former->fork_depth; i++) {
        const struct lo_held_lock *held = &former->at_fork[i];
        /* The interpreter makes its own locks anew in the child, and says nothing to those that
         * were there; whether it has the GIL is asked. */
        uint8_t kind = lo_locks[held->lock].kind;
        if (kind == LO_KIND_PYTHON_LOCK || kind == LO_KIND_GIL)
            continue;
        lo_push(thread, held->lock, held->mode, held->how, held->pc);
        if (thread->depth > 0)
            thread->area->held[thread->depth - 1].count = held->count;
    }
}

/* Locks that other threads held at the fork: in the child nobody will ever release them. It is
 * told in the child's trace; that of a child which went on to exec shows that it did no harm. Those
 * of Python's interpreter it makes anew. */
static void report_others(struct lo_thread *thread, const struct lo_thread *former)
{
    for (uint32_t i = 0; i < former->others; i++) {
        const struct lo_held_lock *held = &former->held_by_others[i];
        const struct lo_lock *lock = &lo_locks[held->lock];
        bool interpreters = atomic_load(&lo_python_loaded) && lo_in_python(held->pc);
        if (held->lock != 0 && lo_is_plain(lock) && !interpreters && lo_alive_at(held->lock) != 0)
            lo_misuse(thread, LO_FORK_HELD, held->lock, held->pc, 0);
    }
}

static void in_child(void)
{
    struct lo_thread *former = lo_self;
    struct lo_header *parents = lo_trace;
    if (parents == NULL)
        return;
    uint64_t size = parents->limit;
    bool stuck = atomic_exchange(&loader_users, 0) != 0;
    atomic_store(&forks, 0);
    atomic_store(&left_alone, true);
    lo_trace = NULL;
    lo_threads_forget();
    lo_starts_forget();
    lo_stacks_after_fork();
    lo_locks_after_fork();
    lo_order_after_fork();
    lo_nccl_after_fork();
    lo_objects_after_fork();
    if (!stuck && lo_trace_open(true)) {
        struct lo_thread *thread = lo_thread_begin();
        lo_begin_trace();
        if (thread != NULL && former != NULL) {
            copy_modules(thread, parents);
            take_over(thread, former);
            report_others(thread, former);
        }
    }
    if (lo_trace == NULL)
        lo_started_unrecorded(parents);
    munmap(parents, size);
}

/* ---- to be the first --------------------------------------------------------------------- */

typedef int (*register_function)(void (*)(void), void (*)(void), void (*)(void), void *);

extern void *__dso_handle __attribute__((visibility("hidden")));

/* Not by dlsym(3): an allocator asks for this while it is being set up, and that may be inside the
 * very dlsym that looks for the real functions. */
static register_function real_register(void)
{
    static _Atomic(void *) real;
    void *found = atomic_load(&real);
    if (found == NULL) {
        found = lo_find_defined("__register_atfork");
        atomic_store(&real, found);
    }
    return (register_function)found;
}

static void register_first(void)
{
    static _Atomic bool done;
    register_function real = real_register();
    if (real != NULL && !atomic_exchange(&done, true))
        real(before_fork, in_parent, in_child, &__dso_handle);
}

LO_EXPORT int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                                void *object);

/* What pthread_atfork(3) calls. Whoever is registered first is prepared last and is the first in
 * the child, and that must be the shim: an allocator's handlers give back in the child what they
 * took before, and would do so in the list of held locks that is still shared with the parent. */
LO_EXPORT int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                                void *object)
{
    register_first();
    register_function real = real_register();
    return real == NULL ? ENOSYS : real(prepare, parent, child, object);
}

void lo_fork_setup(void)
{
    register_first();
}
